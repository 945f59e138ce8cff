import type { EnabledFeeds } from '@plimsoll/advisories';
import type { FeedStore, ImportStore } from '@plimsoll/db';
import type { ImportContext, MatchContext } from '@plimsoll/pipeline';
import type { FeedRoutes } from './feeds/feed-connection.ts';
import type { FeedMirrors } from './feeds/feed-sources.ts';

/** The dependencies of this app's handlers. */
export interface WorkerContext extends FeedRoutes, ImportContext, MatchContext {
  readonly imports: ImportStore;
  readonly feeds: FeedStore;
  readonly mirrors: FeedMirrors;
  readonly enabledFeeds: EnabledFeeds;
}
