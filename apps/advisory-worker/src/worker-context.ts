import type { Database, FeedStore, HostCounter, ImportStore, Interner, MatchRule } from '@plimsoll/db';
import type { Logger } from '@plimsoll/observability';
import type { AddressPolicy } from '@plimsoll/outbound';

/** What the handlers of this app work with. */
export interface WorkerContext {
  readonly db: Database;
  readonly interner: Interner;
  readonly imports: ImportStore;
  readonly feeds: FeedStore;
  readonly counter: HostCounter;
  readonly matchRule: MatchRule;
  readonly addressPolicy: AddressPolicy;
  readonly feedsBaseUrl: string;
  readonly log: Logger;
}
