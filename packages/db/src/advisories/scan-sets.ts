import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';

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

/** The ids of `wanted` that an encoded set contains (see package-set.ts). Decodes no further than needed. */
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
    const version = id as PackageVersionId; // The encoded values are ids.
    if (wanted.has(version)) held.push(version);
    delta = 0;
    shift = 0;
  }
  return held;
}
