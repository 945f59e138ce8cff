import type { Database, HostCounter, Interner } from '@plimsoll/db';

/** What importing records works with. */
export interface ImportContext {
  readonly db: Database;
  readonly interner: Interner;
  readonly counter: HostCounter;
}
