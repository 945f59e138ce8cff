import type { HostId, PackageVersionId, Release } from '@plimsoll/model';
import type { PgTransaction } from '../database.ts';
import { decodePackageSet } from '../interning/package-set.ts';
import { type CountableSnapshot, countableColumns, type HostCounter } from './host-counter.ts';
import { writeHostCounts } from './host-state.ts';

/** Rows of sets and hosts per query. */
const setsPerRead = 5_000;
const hostsPerRead = 1_000;

/**
 * Recounts every host with one of the given package versions, installed or as its running kernel; returns their number.
 * The caller holds the lock of changeAdvisories.
 */
export async function recountHosts(
  tx: PgTransaction,
  changed: readonly PackageVersionId[],
  counter: HostCounter,
): Promise<number> {
  if (changed.length === 0) return 0;
  const setIds = await findSets(tx, new Set(changed));
  return recountWhere(
    tx,
    {
      condition: '(hs.set_id = ANY($3::int[]) OR s.running_kernel_id = ANY($4::int[]))',
      values: [setIds, changed],
    },
    counter,
  );
}

/** Recounts every host of the given releases, like recountHosts. */
export async function recountReleases(
  tx: PgTransaction,
  releases: readonly Release[],
  counter: HostCounter,
): Promise<number> {
  if (releases.length === 0) return 0;
  return recountWhere(tx, { condition: 'r.name = ANY($3::text[])', values: [releases] }, counter);
}

/** A condition over `host_state hs`, `snapshots s` and `releases r`. Its parameters are numbered from $3. */
interface HostChoice {
  readonly condition: string;
  readonly values: readonly unknown[];
}

async function recountWhere(
  tx: PgTransaction,
  { condition, values }: HostChoice,
  counter: HostCounter,
): Promise<number> {
  let hosts = 0;
  let after: HostId | null = null;
  for (;;) {
    const { rows }: { rows: CountableSnapshot[] } = await tx.query<CountableSnapshot>(
      `SELECT ${countableColumns}
       FROM host_state hs JOIN snapshots s ON s.id = hs.snapshot_id JOIN package_sets ps ON ps.id = s.set_id
       JOIN releases r ON r.id = s.release_id
       WHERE ($1::uuid IS NULL OR hs.host_id > $1) AND ${condition}
       ORDER BY hs.host_id LIMIT $2`,
      [after, hostsPerRead, ...values],
    );
    await writeHostCounts(tx, rows, await counter.count(tx, rows));
    hosts += rows.length;
    const last = rows.at(-1);
    if (last === undefined || rows.length < hostsPerRead) return hosts;
    after = last.hostId;
  }
}

/**
 * The sets that contain any of the given versions. Reading all sets is faster than an inverted index: see
 * docs/decisions/0013.
 */
async function findSets(tx: PgTransaction, changed: ReadonlySet<PackageVersionId>): Promise<number[]> {
  const found: number[] = [];
  let after = 0;
  for (;;) {
    const { rows } = await tx.query<{ id: number; ids: Uint8Array }>(
      'SELECT id, ids FROM package_sets WHERE id > $1 ORDER BY id LIMIT $2',
      [after, setsPerRead],
    );
    for (const { id, ids } of rows)
      if (decodePackageSet(ids).some((version) => changed.has(version))) found.push(id);
    const last = rows.at(-1);
    if (last === undefined || rows.length < setsPerRead) return found;
    after = last.id;
  }
}
