import type { LagRules } from '@plimsoll/advisories';
import type { Database, HostCounter } from '@plimsoll/db';
import type { Logger } from '@plimsoll/process';

/** Dependencies of the match jobs. */
export interface MatchContext {
  readonly db: Database;
  readonly counter: HostCounter;
  /** How far a copy of a repository may be behind. */
  readonly lag: LagRules;
  readonly log: Logger;
}
