import type { HostId, PackageVersionId, Release } from '@plimsoll/model';
import type pg from 'pg';
import { holdAdvisories } from '../connection/locks.ts';
import { type Database, inPgTransaction } from '../database.ts';
import { heldOf, highestOf } from '../interning/package-set.ts';
import type { HostCounter, HostToCount } from './host-counter.ts';
import { writeHostCounts } from './host-state.ts';
import { readUncountedChanges } from './package-versions.ts';

/** Sets per query. */
const setsPerRead = 5_000;
/** Hosts changed per transaction. Uploads can be matched between two transactions. */
const hostsPerPiece = 500;

/** How to count hosts. */
export interface Recount {
  readonly counter: HostCounter;
  /** Stops between two pieces; the rest remains to be counted. */
  readonly signal?: AbortSignal;
}

/**
 * Recounts the hosts of every change of advisories that is not counted yet, also of those that a process left when it
 * died; returns their number. Uploads are matched meanwhile: a host whose upload comes between is counted twice, with the
 * same result.
 */
export async function recountChangedHosts(db: Database, recount: Recount): Promise<number> {
  let hosts = 0;
  for (;;) {
    const changes = await readUncountedChanges(db.pool);
    if (changes === null) return hosts;
    hosts += await recountHosts(db, changes.versions, recount);
    hosts += await recountReleases(db, changes.releases, recount);
    await db.pool.query('UPDATE version_changes SET counted = true WHERE n = ANY($1::bigint[])', [
      changes.numbers,
    ]);
  }
}

/** Recounts every host with one of the given package versions, installed or as its running kernel. */
async function recountHosts(
  db: Database,
  changed: readonly PackageVersionId[],
  recount: Recount,
): Promise<number> {
  if (changed.length === 0) return 0;
  const ids = new Set(changed);
  let hosts = 0;
  const counted = new Set<number>();
  for await (const sets of setsWithAny(db.pool, ids)) {
    for (const set of sets) counted.add(set);
    const { rows } = await db.pool.query<{ id: HostId }>(
      'SELECT host_id AS id FROM host_state WHERE set_id = ANY($1::int[]) ORDER BY set_id, host_id',
      [sets],
    );
    hosts += await recountThese(db, rows, recount);
  }
  const running = await hostsRunning(db.pool, changed);
  const left = running.filter(({ setId }) => !counted.has(setId));
  return hosts + (await recountThese(db, left, recount));
}

/** Recounts every host of the given releases; returns their number. */
export async function recountReleases(
  db: Database,
  releases: readonly Release[],
  recount: Recount,
): Promise<number> {
  let hosts = 0;
  let after: HostId | null = null;
  while (releases.length > 0) {
    const { rows }: { rows: { id: HostId }[] } = await db.pool.query<{ id: HostId }>(
      `SELECT hs.host_id AS id FROM host_state hs JOIN releases r ON r.id = hs.release_id
       WHERE r.name = ANY($1::text[]) AND ($2::uuid IS NULL OR hs.host_id > $2) ORDER BY hs.host_id LIMIT $3`,
      [releases, after, setsPerRead],
    );
    hosts += await recountThese(db, rows, recount);
    const last = rows.at(-1);
    if (last === undefined || rows.length < setsPerRead) break;
    after = last.id;
  }
  return hosts;
}

/** Recounts hosts by their newest snapshots, some per transaction. Returns the number of those that still have one. */
async function recountThese(
  db: Database,
  hosts: readonly { readonly id: HostId }[],
  { counter, signal }: Recount,
): Promise<number> {
  let counted = 0;
  for (let first = 0; first < hosts.length; first += hostsPerPiece) {
    signal?.throwIfAborted();
    const ids = hosts.slice(first, first + hostsPerPiece).map(({ id }) => id);
    counted += await inPgTransaction(db.pool, async (tx) => {
      await holdAdvisories(tx);
      // Locked in the order in which matching locks them.
      const { rows } = await tx.query<HostToCount>(
        `SELECT host_id AS "hostId", snapshot_id AS "snapshotId" FROM host_state
         WHERE host_id = ANY($1::uuid[]) AND snapshot_id IS NOT NULL ORDER BY host_id FOR UPDATE`,
        [ids],
      );
      await writeHostCounts(tx, rows, await counter.count(tx, rows));
      return rows.length;
    });
  }
  return counted;
}

/**
 * The sets that contain any of the given versions, some at a time. Reading all sets is faster than an inverted index:
 * see docs/decisions/0013.
 */
async function* setsWithAny(
  pool: pg.Pool,
  changed: ReadonlySet<PackageVersionId>,
): AsyncGenerator<readonly number[]> {
  const highest = highestOf(changed);
  let after = 0;
  for (;;) {
    const { rows } = await pool.query<{ id: number; ids: Uint8Array }>(
      'SELECT id, ids FROM package_sets WHERE id > $1 ORDER BY id LIMIT $2',
      [after, setsPerRead],
    );
    const found = rows.filter(({ ids }) => heldOf(ids, changed, highest).length > 0).map(({ id }) => id);
    if (found.length > 0) yield found;
    const last = rows.at(-1);
    if (last === undefined || rows.length < setsPerRead) return;
    after = last.id;
  }
}

/** The hosts that run one of the changed kernels, with their sets, which need not contain it. */
async function hostsRunning(
  pool: pg.Pool,
  changed: readonly PackageVersionId[],
): Promise<readonly { readonly id: HostId; readonly setId: number }[]> {
  const { rows } = await pool.query<{ id: HostId; setId: number }>(
    `SELECT hs.host_id AS id, hs.set_id AS "setId" FROM snapshots s JOIN host_state hs ON hs.snapshot_id = s.id
     WHERE s.running_kernel_id = ANY($1::int[]) ORDER BY hs.set_id, hs.host_id`,
    [changed],
  );
  return rows;
}
