import type { Lifecycle, Release } from '@plimsoll/model';
import type { FeedFile } from '../feed.ts';

/** Where a distribution publishes how long it supports its releases. What it says goes before the tables in the code. */
export interface LifecycleFeed {
  readonly id: string;
  /** `id` of the distribution it speaks for. */
  readonly distribution: string;
  readonly format: 'lifecycles';
  /** What people call it, for messages. */
  readonly title: string;
  readonly file: FeedFile;
  /** What a row says, its values by column and all of them text. Total: any value has an answer. */
  read(record: unknown): LifecycleReading;
}

/**
 * What a row turned out to be. `asOf` is how new it shows the feed to be. Skipped: a row of another feed, a suite without
 * a number, a release whose end is not set yet.
 */
export type LifecycleReading =
  | {
      readonly kind: 'lifecycle';
      readonly release: Release;
      readonly lifecycle: Lifecycle;
      readonly asOf: Date | null;
    }
  | { readonly kind: 'skipped'; readonly reason: 'other_feed' | 'no_release_number' | 'no_end' }
  | {
      readonly kind: 'rejected';
      readonly reason: 'not_an_object' | 'invalid_date' | 'ends_out_of_order';
    };
