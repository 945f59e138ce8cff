import type { Database, HostCounter, Interner, MatchRule } from '@plimsoll/db';

/** What importing records works with. */
export interface ImportContext {
  readonly db: Database;
  readonly interner: Interner;
  readonly counter: HostCounter;
  readonly matchRule: MatchRule;
}
