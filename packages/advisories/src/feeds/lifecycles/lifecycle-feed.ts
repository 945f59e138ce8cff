import type { Lifecycle, Release } from '@plimsoll/model';
import type { FeedOf } from '../feed.ts';

/** The support period of one release. */
export interface ReleaseLifecycle {
  readonly release: Release;
  readonly lifecycle: Lifecycle;
}

/**
 * A feed of a distribution's support periods. It takes precedence over the tables in the code. A record is one row,
 * with its values by column, all of type text.
 */
export interface LifecycleFeed extends FeedOf<'lifecycles', ReleaseLifecycle> {
  readonly distribution: string;
}
