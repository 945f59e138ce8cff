import type { Database, HostCounter, Interner } from '@plimsoll/db';

/** Dependencies of an import. */
export interface ImportContext {
  readonly db: Database;
  readonly interner: Interner;
  readonly counter: HostCounter;
}
