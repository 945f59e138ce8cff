import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { type Database, inPgSnapshot, type PgTransaction } from '../database.ts';
import { isEarlier } from '../hosts/host-memory.ts';
import { type HostPeriod, openCode, PatchColumns, rowCauses } from './patch-columns.ts';
import type { PatchTimes } from './patch-times.ts';

/**
 * The counted exposures of all hosts in the memory of this process: those that are open, and those that ended in the last
 * months. What was committed before `current` is called is in its result.
 */
export interface PatchMemory {
  /** Whether a period that begins at a time is in memory. The first call begins to load. */
  isLoaded(from: Date): Promise<boolean>;
  /** Null if a period that begins at a time is not in memory. Use it before the next `await`: it changes with later calls. */
  current(from: Date): Promise<PatchRows | null>;
}

/** The rows of all hosts. */
export interface PatchRows {
  /** Adds the exposures of a host to sums. Nothing if it was never walked. */
  addTo(times: PatchTimes, hostId: string, period: HostPeriod): void;
}

/** Ends of this many days are kept: by calculation 70 MB with what is open, at 100,000 hosts of which 5 % change per day. */
const keptDays = 100;
/** With ends of so many days everything is loaded again, so that the old ones go. */
const mostDays = 130;
/** A call waits so long while all is loaded: enough for a few hundred hosts. */
const longestWaitMs = 100;
const rowsPerFetch = 2_000;
const dayMs = 24 * 3600 * 1000;

/** The memory of one database. @param onError called when loading failed; a later call of `isLoaded` tries again */
export function createPatchMemory(database: Database, onError: (error: unknown) => void): PatchMemory {
  const keeper = new PatchKeeper(database, onError);
  return { isLoaded: (from) => keeper.isLoaded(from), current: (from) => keeper.current(from) };
}

class PatchKeeper implements PatchRows {
  private hosts = new PatchColumns();
  /** Ends from before this time are not in memory; null: nothing is. */
  private floor: number | null = null;
  /** What transactions wrote that began before it is in memory. */
  private horizon = '0';
  private loading: Promise<void> | null = null;
  private running: Promise<void> | null = null;
  private next: Promise<void> | null = null;
  private readonly database: Database;
  private readonly onError: (error: unknown) => void;

  constructor(database: Database, onError: (error: unknown) => void) {
    this.database = database;
    this.onError = onError;
  }

  async isLoaded(from: Date): Promise<boolean> {
    const isOld = this.floor !== null && Date.now() - this.floor > mostDays * dayMs;
    if (this.floor === null || isOld) {
      this.loading ??= this.load()
        .catch(this.onError)
        .finally(() => {
          this.loading = null;
        });
      await Promise.race([this.loading, delay(longestWaitMs, undefined, { ref: false })]);
    }
    return this.covers(from);
  }

  async current(from: Date): Promise<PatchRows | null> {
    if (this.covers(from)) await this.refresh();
    return this.covers(from) ? this : null;
  }

  addTo(times: PatchTimes, hostId: string, period: HostPeriod): void {
    this.hosts.addTo(times, hostId, period);
  }

  private covers(from: Date): boolean {
    return this.floor !== null && from.getTime() >= this.floor;
  }

  private async load(): Promise<void> {
    const floor = Math.floor(Date.now() / dayMs - keptDays) * dayMs;
    const hosts = new PatchColumns();
    await this.running?.catch(() => undefined);
    const horizon = await inPgSnapshot(this.database.pool, (tx) => readInto(hosts, tx, '0', floor));
    this.hosts = hosts;
    this.horizon = horizon;
    this.floor = floor;
  }

  /** The result of a refresh that began after the call; calls share it. */
  private refresh(): Promise<void> {
    if (this.running === null) return this.begin();
    this.next ??= this.running.catch(() => undefined).then(() => this.begin());
    return this.next;
  }

  private begin(): Promise<void> {
    this.next = null;
    this.running = this.readChanged().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async readChanged(): Promise<void> {
    const { hosts, floor, horizon } = this;
    const now = await inPgSnapshot(this.database.pool, (tx) => readInto(hosts, tx, horizon, floor ?? 0));
    // Everything was loaded again meanwhile, perhaps by an older view.
    if (hosts !== this.hosts) return;
    // A backup was restored.
    if (isEarlier(now, horizon)) this.floor = null;
    this.horizon = now;
  }
}

/**
 * Reads the rows of the hosts that were walked since a horizon; of all for the horizon 0. Returns the next horizon. A scan
 * of all walks: an index would change with each of them.
 */
async function readInto(
  hosts: PatchColumns,
  tx: PgTransaction,
  horizon: string,
  floor: number,
): Promise<string> {
  const { rows: views } = await tx.query<{ horizon: string }>(
    `SELECT pg_snapshot_xmin(pg_current_snapshot())::xid::text AS horizon,
       set_config('cursor_tuple_fraction', '1', true)`,
  );
  const since = horizon === '0' ? 'true' : 'age(w.xmin) <= age($3::xid)';
  await tx.query(
    `DECLARE walked NO SCROLL CURSOR FOR
     SELECT w.host_id, int8send(0) || '\\x${openCode.toString(16)}'::bytea || int4send(length(w.open)) || w.open || coalesce((
       SELECT string_agg(int8send((date_part('epoch', e.at) * 1000)::bigint)
           || set_byte('\\x00', 0, array_position($1::text[], e.cause) - 1) || int4send(length(e.counts)) || e.counts, '')
       FROM exposure_ends e WHERE e.host_id = w.host_id AND e.at >= to_timestamp($2::float8 / 1000)), '') AS rows
     FROM exposure_walks w WHERE ${since}`,
    horizon === '0' ? [rowCauses, floor] : [rowCauses, floor, horizon],
  );
  for (;;) {
    const { rows } = await tx.query<{ host_id: string; rows: Buffer }>(`FETCH ${rowsPerFetch} FROM walked`);
    for (const row of rows) hosts.set(row.host_id, row.rows);
    if (rows.length < rowsPerFetch) break;
    await nextTurn();
  }
  return views[0]?.horizon ?? '0';
}
