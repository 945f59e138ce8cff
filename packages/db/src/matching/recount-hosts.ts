import type { PackageVersionId, Release } from '@plimsoll/model';
import type { PgTransaction } from '../database.ts';
import { packageSetHas } from '../interning/package-set.ts';
import type { HostCounter, HostToCount } from './host-counter.ts';
import { writeHostCounts } from './host-state.ts';

/** Sets per query, and hosts counted at a time. */
const setsPerRead = 5_000;
const hostsPerPiece = 1_000;

/**
 * Recounts every host with one of the given package versions, installed or as its running kernel; returns their number.
 * Reads each set once, and hosts by their ids, so that the time is linear in both. The caller holds the lock of
 * changeAdvisories.
 */
export async function recountHosts(
  tx: PgTransaction,
  changed: readonly PackageVersionId[],
  counter: HostCounter,
): Promise<number> {
  if (changed.length === 0) return 0;
  const ids = new Set(changed);
  let hosts = 0;
  for await (const sets of setsWithAny(tx, ids)) {
    const { rows } = await tx.query<HostToCount>(
      `SELECT ${hostColumns} FROM host_state hs WHERE hs.set_id = ANY($1::int[]) ORDER BY hs.set_id, hs.host_id`,
      [sets],
    );
    hosts += await recount(tx, rows, counter);
  }
  return hosts + (await recount(tx, await hostsRunning(tx, changed, ids), counter));
}

/** Recounts every host of the given releases, like recountHosts. */
export async function recountReleases(
  tx: PgTransaction,
  releases: readonly Release[],
  counter: HostCounter,
): Promise<number> {
  if (releases.length === 0) return 0;
  const { rows } = await tx.query<HostToCount>(
    `SELECT ${hostColumns} FROM host_state hs JOIN releases r ON r.id = hs.release_id
     WHERE hs.snapshot_id IS NOT NULL AND r.name = ANY($1::text[]) ORDER BY hs.set_id, hs.host_id`,
    [releases],
  );
  return recount(tx, rows, counter);
}

/** The select list of a `HostToCount`, from `host_state hs`. */
const hostColumns = 'hs.host_id AS "hostId", hs.snapshot_id AS "snapshotId"';

/** Recounts hosts, some at a time. Returns their number. */
async function recount(
  tx: PgTransaction,
  hosts: readonly HostToCount[],
  counter: HostCounter,
): Promise<number> {
  for (let first = 0; first < hosts.length; first += hostsPerPiece) {
    const piece = hosts.slice(first, first + hostsPerPiece);
    await writeHostCounts(tx, piece, await counter.count(tx, piece));
  }
  return hosts.length;
}

/**
 * The sets that contain any of the given versions, some at a time. Reading all sets is faster than an inverted index:
 * see docs/decisions/0013.
 */
async function* setsWithAny(
  tx: PgTransaction,
  changed: ReadonlySet<PackageVersionId>,
): AsyncGenerator<readonly number[]> {
  let after = 0;
  for (;;) {
    const { rows } = await tx.query<{ id: number; ids: Uint8Array }>(
      'SELECT id, ids FROM package_sets WHERE id > $1 ORDER BY id LIMIT $2',
      [after, setsPerRead],
    );
    const found = rows.filter(({ ids }) => packageSetHas(ids, changed)).map(({ id }) => id);
    if (found.length > 0) yield found;
    const last = rows.at(-1);
    if (last === undefined || rows.length < setsPerRead) return;
    after = last.id;
  }
}

/** The hosts that run one of the changed kernels although their set has no changed version. */
async function hostsRunning(
  tx: PgTransaction,
  changed: readonly PackageVersionId[],
  ids: ReadonlySet<PackageVersionId>,
): Promise<readonly HostToCount[]> {
  const { rows } = await tx.query<HostToCount & { ids: Uint8Array }>(
    `SELECT ${hostColumns}, ps.ids FROM snapshots s JOIN host_state hs ON hs.snapshot_id = s.id
     JOIN package_sets ps ON ps.id = hs.set_id
     WHERE s.running_kernel_id = ANY($1::int[]) ORDER BY hs.set_id, hs.host_id`,
    [changed],
  );
  return rows.filter((row) => !packageSetHas(row.ids, ids));
}
