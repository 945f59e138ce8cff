import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import { heldOf, highestOf } from '../interning/package-set.ts';

/** Package sets per query; decoding them takes about 20 ms. */
const setsPerRead = 5_000;

/**
 * The sets in use that contain any of the given package versions of the given releases, each with the versions it
 * contains. Reads every set of the hosts of these releases; the process does other work between two pieces.
 */
export async function scanSets(
  client: pg.PoolClient,
  releaseIds: readonly number[],
  wanted: ReadonlySet<PackageVersionId>,
): Promise<ReadonlyMap<number, readonly PackageVersionId[]>> {
  const found = new Map<number, readonly PackageVersionId[]>();
  if (wanted.size === 0) return found;
  const highest = highestOf(wanted);
  let after = 0;
  for (;;) {
    const { rows } = await client.query<{ id: number; ids: Uint8Array }>(
      `SELECT ps.id, ps.ids FROM package_sets ps WHERE ps.id > $1 AND EXISTS (
         SELECT FROM host_state hs WHERE hs.set_id = ps.id AND hs.release_id = ANY($2::int[]))
       ORDER BY ps.id LIMIT $3`,
      [after, releaseIds, setsPerRead],
    );
    for (const { id, ids } of rows) {
      const held = heldOf(ids, wanted, highest);
      if (held.length > 0) found.set(id, held);
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < setsPerRead) return found;
    after = last.id;
  }
}
