import type { EnabledFeeds } from '@plimsoll/advisories';
import type {
  Database,
  FeedStore,
  HostCounter,
  ImportStore,
  Interner,
  MatchRule,
  RepositoryRule,
} from '@plimsoll/db';
import type { Logger } from '@plimsoll/observability';
import type { FeedRoutes } from './feeds/feed-connection.ts';
import type { FeedMirrors } from './feeds/feed-sources.ts';

/** What the handlers of this app work with. */
export interface WorkerContext extends FeedRoutes {
  readonly db: Database;
  readonly interner: Interner;
  readonly imports: ImportStore;
  readonly feeds: FeedStore;
  readonly counter: HostCounter;
  readonly matchRule: MatchRule;
  readonly repositoryRule: RepositoryRule;
  readonly mirrors: FeedMirrors;
  readonly enabledFeeds: EnabledFeeds;
  readonly log: Logger;
}
