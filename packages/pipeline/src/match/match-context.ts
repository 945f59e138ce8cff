import type { Database, HostCounter, MatchRule, RepositoryRule } from '@plimsoll/db';
import type { Logger } from '@plimsoll/observability';

/** What matching works with. */
export interface MatchContext {
  readonly db: Database;
  readonly counter: HostCounter;
  readonly matchRule: MatchRule;
  readonly repositoryRule: RepositoryRule;
  readonly log: Logger;
}
