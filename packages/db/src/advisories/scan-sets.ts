import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';

/** Sets read in pieces of so many rows; decoding a piece takes some 20 ms. */
const setsPerRead = 5_000;

/**
 * The sets in use that hold any of some package versions of some releases, with those they hold. Reads every set of a
 * host of these releases, between pieces of which the process does other work.
 */
export async function scanSets(
  client: pg.PoolClient,
  releaseIds: readonly number[],
  wanted: ReadonlySet<PackageVersionId>,
): Promise<ReadonlyMap<number, readonly PackageVersionId[]>> {
  const found = new Map<number, readonly PackageVersionId[]>();
  if (wanted.size === 0) return found;
  const highest = Math.max(...wanted);
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

/** Those of `wanted` that an encoded set holds (see package-set.ts), without decoding more of it than can matter. */
function heldOf(
  bytes: Uint8Array,
  wanted: ReadonlySet<PackageVersionId>,
  highest: number,
): PackageVersionId[] {
  const held: PackageVersionId[] = [];
  let id = 0;
  let delta = 0;
  let shift = 0;
  for (const byte of bytes) {
    delta |= (byte & 127) << shift;
    if (byte > 127) {
      shift += 7;
      continue;
    }
    id += delta;
    if (id > highest) break;
    const version = id as PackageVersionId; // Sets are written from ids.
    if (wanted.has(version)) held.push(version);
    delta = 0;
    shift = 0;
  }
  return held;
}
