import { setTimeout as delay } from 'node:timers/promises';
import { compareText, type HostId } from '@plimsoll/model';
import type pg from 'pg';
import { DatabaseError } from 'pg';
import { isImportingOrCounting } from '../../core/after-imports.ts';
import { type Database, inPgSnapshot, inPgTransaction, preparing } from '../../core/database.ts';
import { restMsAfter } from '../../core/rest.ts';
import { exposuresDue } from '../counting/exposures-due.ts';
import { countColumns, countsFromJson, countsInJson } from './exposure-counts.ts';
import { type WalkedHost, walkHost } from './host-walk.ts';
import { SharedRows } from './shared-rows.ts';
import { findTouchedHosts } from './touched-hosts.ts';

/** Hosts found in one statement. */
const hostsPerLook = 500;
/** Hosts marked in one transaction: matching waits for the rows that are locked. */
const hostsPerMark = 1_000;
/** Hosts counted in one transaction: most of their rows are of versions and advisories that they have in common. */
const hostsPerTransaction = 25;
/** A transaction ends early with so many rows in memory; each takes some 500 bytes. */
const mostRows = 100_000;
/** How long a transaction waits at most for what comes first: uploads can arrive without a break. */
const longestYieldMs = 10_000;
const lookAgainMs = 250;

/** Keeps the counted exposures of all hosts, from which time to patch is answered. */
export interface ExposureWalkStore {
  /** Whether a host is to be counted, or a change of advisories to be looked at. */
  isDue(): Promise<boolean>;
  /**
   * Counts the exposures of hosts whose snapshots or advisories changed, until none is left; returns their number.
   * Throws the signal's reason when it aborts. A process that dies leaves no host half counted; if two processes count
   * the same host, one of them counts it again.
   */
  walk(signal: AbortSignal): Promise<number>;
  /** Deletes what ended before the start of the history. */
  dropEnded(): Promise<void>;
}

/** The counted exposures of one database. */
export function createExposureWalkStore({ pool }: Database): ExposureWalkStore {
  return {
    async isDue() {
      const { rows } = await pool.query<{ due: boolean }>(
        `SELECT (SELECT max(n) FROM version_changes) IS DISTINCT FROM (SELECT version_change FROM exposure_walk_state)
           OR EXISTS (SELECT FROM host_state hs LEFT JOIN exposure_walks w ON w.host_id = hs.host_id WHERE ${isDue}) AS due`,
      );
      return rows[0]?.due === true;
    },
    walk: (signal) => walkDue(pool, signal),
    async dropEnded() {
      await pool.query('DELETE FROM exposure_counts WHERE until < (SELECT starts_at FROM history_bounds)');
    },
  };
}

/** SQL: the hosts of `host_state hs` that are not counted as they are now, with `exposure_walks w`. */
export const isDue = `hs.first_snapshot_at IS NOT NULL AND (w.host_id IS NULL OR w.due OR w.sequence <> hs.sequence)`;

async function walkDue(pool: pg.Pool, signal: AbortSignal): Promise<number> {
  await markTouched(pool, signal);
  for (let walked = 0; ; ) {
    const { rows } = await pool.query<{ hostId: HostId }>(
      `SELECT hs.host_id AS "hostId" FROM host_state hs LEFT JOIN exposure_walks w ON w.host_id = hs.host_id
       WHERE ${isDue} ORDER BY hs.set_id LIMIT $1`,
      [hostsPerLook],
    );
    if (rows.length === 0) return walked;
    let left = rows.map(({ hostId }) => hostId);
    while (left.length > 0) {
      signal.throwIfAborted();
      await letOthersPass(pool, signal);
      const begun = performance.now();
      // In the order in which others lock rows of several hosts.
      const some = left.slice(0, hostsPerTransaction).sort(compareText);
      const done = await inPgTransaction(pool, (tx) => walkSome(preparing(tx), some)).catch(noneIfOverlapped);
      left = [...some.slice(done), ...left.slice(hostsPerTransaction)];
      walked += done;
      await delay(restMsAfter(performance.now() - begun), undefined, { signal });
    }
  }
}

/** A host that became due again since the walk read it has its piece read again: nothing was stored. */
function noneIfOverlapped(error: unknown): 0 {
  // serialization_failure: appendix A of PostgreSQL's manual.
  if (error instanceof DatabaseError && error.code === '40001') return 0;
  throw error;
}

/** Waits while an import runs, or uploads or hosts wait to be counted. */
async function letOthersPass(pool: pg.Pool, signal: AbortSignal): Promise<void> {
  const until = performance.now() + longestYieldMs;
  while (performance.now() < until && ((await isImportingOrCounting(pool)) || (await isUploading(pool))))
    await delay(lookAgainMs, undefined, { signal });
}

async function isUploading(pool: pg.Pool): Promise<boolean> {
  const { rows } = await pool.query<{ busy: boolean }>(
    `SELECT EXISTS (SELECT FROM uploads WHERE state IN ('received', 'parsed')) AS busy`,
  );
  return rows[0]?.busy === true;
}

/** Counts hosts until the rows in memory are too many; returns the number of those counted, at least one. */
async function walkSome(tx: pg.PoolClient, hosts: readonly HostId[]): Promise<number> {
  // One state of the database; what changes meanwhile makes the host due again.
  await tx.query('SET TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  const shared = new SharedRows(tx);
  let walked = 0;
  for (const hostId of hosts) {
    const host = await walkHost(shared, hostId);
    if (host !== null) await storeWalk(tx, host);
    walked += 1;
    if (shared.size > mostRows) break;
  }
  return walked;
}

/**
 * Makes the hosts due that new changes of advisories touch. The changes count as looked at after the last host is marked:
 * a process that dies before looks at them again.
 */
async function markTouched(pool: pg.Pool, signal: AbortSignal): Promise<void> {
  const { newest, hosts } = await inPgSnapshot(pool, findTouchedHosts);
  for (let from = 0; from < hosts.length; from += hostsPerMark) {
    signal.throwIfAborted();
    const some = hosts.slice(from, from + hostsPerMark);
    await inPgTransaction(pool, (tx) => exposuresDue(tx, some));
  }
  await pool.query(
    `INSERT INTO exposure_walk_state (id, version_change) VALUES (1, $1)
     ON CONFLICT (id) DO UPDATE SET version_change = excluded.version_change
     WHERE exposure_walk_state.version_change IS DISTINCT FROM excluded.version_change`,
    [newest],
  );
}

/** SQL: whether a row `e` of `exposure_counts` and one of `given` are equal. Few columns find it, the others can be null. */
const isEqual = `e.severity = given.severity AND e.since = given.since AND e.until = given.until AND e.cause = given.cause
  AND (e.has_fix, e.timed_since, e.fixable_at, e.count, e.hours, e.known, e.offered, e.installed, e.running) IS NOT DISTINCT FROM
    (given.has_fix, given.timed_since, given.fixable_at, given.count, given.hours, given.known, given.offered, given.installed, given.running)`;

/** Stores what was counted; rows that are equal already are not written. */
async function storeWalk(tx: pg.PoolClient, host: WalkedHost): Promise<void> {
  await tx.query(
    `WITH given AS (SELECT * FROM ${countsFromJson('$2', 'given')}),
     dropped AS (
       DELETE FROM exposure_counts e WHERE host_id = $1 AND NOT EXISTS (SELECT FROM given WHERE ${isEqual})),
     added AS (
       INSERT INTO exposure_counts (host_id, ${countColumns})
       -- A host that was deleted meanwhile has no row any more.
       SELECT host_id, ${countColumns} FROM given WHERE EXISTS (SELECT FROM host_state WHERE host_id = $1)
         AND NOT EXISTS (SELECT FROM exposure_counts e WHERE e.host_id = $1 AND ${isEqual}))
     INSERT INTO exposure_walks (host_id, sequence, due)
     SELECT host_id, $3, false FROM host_state WHERE host_id = $1
     ON CONFLICT (host_id) DO UPDATE SET sequence = excluded.sequence, due = false`,
    [host.hostId, countsInJson([host]), host.sequence],
  );
}
