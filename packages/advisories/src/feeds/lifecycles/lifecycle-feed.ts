import type { Lifecycle, Release } from '@plimsoll/model';
import type { FeedOf } from '../feed.ts';

/** How long one release is supported. */
export interface ReleaseLifecycle {
  readonly release: Release;
  readonly lifecycle: Lifecycle;
}

/**
 * A feed of how long a distribution supports its releases. It takes precedence over the tables in the code. A record is
 * one row, its values by column, all of them text.
 */
export interface LifecycleFeed extends FeedOf<'lifecycles', ReleaseLifecycle> {
  readonly distribution: string;
}
