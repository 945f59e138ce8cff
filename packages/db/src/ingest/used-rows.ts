import type pg from 'pg';
import { decodePackageSet } from './package-set.ts';

/** Package sets per query. */
const setsPerRead = 2_000;

/** Whether anything refers to the set `ps`. Every column that refers to sets must be listed here. */
export const setIsUsed = `(EXISTS (SELECT FROM snapshots s WHERE s.set_id = ps.id)
  OR EXISTS (SELECT FROM host_state h WHERE h.set_id = ps.id))`;

/** Whether a host has the finding list `fl`. Every column that refers to finding lists must be listed here. */
export const findingListIsUsed = `(EXISTS (SELECT FROM host_state h WHERE h.finding_list_id = fl.id)
  OR EXISTS (SELECT FROM notification_hosts n WHERE n.list_id = fl.id))`;

/** Whether anything refers to the release `r`. Every column that refers to releases must be listed here. */
export const releaseIsUsed = `(${[
  'snapshots',
  'host_state',
  'package_versions',
  'upgrades',
  'advisory_packages',
  'past_statements',
]
  .map((table) => `EXISTS (SELECT FROM ${table} x WHERE x.release_id = r.id)`)
  .join(' OR ')})`;

/**
 * Marks every package version that is referred to. Every column that refers to package versions must be listed here.
 */
export async function markUsedVersions(client: pg.PoolClient, marks: IdMarks): Promise<void> {
  await markSets(client, marks);
  // Held packages are in the package set.
  const { rows } = await client.query<{ id: number }>(
    `SELECT running_kernel_id AS id FROM snapshots WHERE running_kernel_id IS NOT NULL
     UNION SELECT judged_kernel_id FROM host_state WHERE judged_kernel_id IS NOT NULL
     UNION SELECT booted_kernel_id FROM host_changes WHERE booted_kernel_id IS NOT NULL
     UNION SELECT unnest(from_ids) FROM package_changes
     UNION SELECT unnest(to_ids) FROM package_changes`,
  );
  for (const { id } of rows) marks.add(id);
}

/** Marks every update that a snapshot offers, or offered before it was folded. */
export async function markUsedUpgrades(client: pg.PoolClient, marks: IdMarks): Promise<void> {
  const { rows } = await client.query<{ id: number }>(
    `SELECT DISTINCT unnest(upgrade_ids) AS id FROM snapshots
     UNION SELECT unnest(offer_ids) FROM folded_snapshots`,
  );
  for (const { id } of rows) marks.add(id);
}

/** Marks the versions in all sets, including sets without hosts: a stored set can be referred to again. */
async function markSets(client: pg.PoolClient, marks: IdMarks): Promise<void> {
  let after = 0;
  for (;;) {
    const { rows } = await client.query<{ id: number; ids: Uint8Array }>(
      `SELECT id, ids FROM package_sets WHERE id > $1 ORDER BY id LIMIT ${setsPerRead}`,
      [after],
    );
    for (const { ids } of rows) for (const id of decodePackageSet(ids)) marks.add(id);
    const last = rows.at(-1);
    if (last === undefined || rows.length < setsPerRead) return;
    after = last.id;
  }
}

/** A set of positive integers with one bit per integer, for the ids of one table. */
export class IdMarks {
  #bits = new Uint8Array(1024);

  add(id: number): void {
    const byte = id >>> 3;
    if (byte >= this.#bits.length) {
      const larger = new Uint8Array(Math.max(byte + 1, this.#bits.length * 2));
      larger.set(this.#bits);
      this.#bits = larger;
    }
    this.#bits[byte] = (this.#bits[byte] ?? 0) | (1 << (id & 7));
  }

  /** Whether an id is marked. */
  has(id: number): boolean {
    return ((this.#bits[id >>> 3] ?? 0) & (1 << (id & 7))) !== 0;
  }
}
