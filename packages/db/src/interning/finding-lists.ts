import type { PgTransaction } from '../database.ts';
import type { EncodedFindingList } from './finding-list.ts';
import type { IdRow } from './interned-rows.ts';

/**
 * The ids of finding lists in the order of `lists`; stores those that are missing. The transaction must store the ids
 * in `host_state`, whose reference protects them from deletion. Lock order: hosts, then their states, then lists by
 * digest.
 */
export async function internFindingLists(
  tx: PgTransaction,
  lists: readonly EncodedFindingList[],
): Promise<readonly number[]> {
  const distinct = new Map(lists.map((list) => [keyOf(list), list]));
  const ids = new Map<string, number>();
  const find = async (): Promise<EncodedFindingList[]> => {
    const missing = [...distinct].filter(([key]) => !ids.has(key)).map(([, list]) => list);
    if (missing.length === 0) return [];
    const { rows } = await tx.query<IdRow>(
      'SELECT id, digest FROM finding_lists WHERE digest = ANY($1::bytea[]) AND NOT condemned',
      [missing.map(({ digest }) => digest)],
    );
    for (const row of rows) ids.set(keyOf(row), row.id);
    return missing.filter((list) => !ids.has(keyOf(list)));
  };
  const added = (await find()).sort((a, b) => a.digest.compare(b.digest));
  if (added.length > 0) {
    const { rows } = await tx.query<IdRow>(
      `INSERT INTO finding_lists (digest, n, entries) SELECT * FROM unnest($1::bytea[], $2::int[], $3::bytea[])
       ON CONFLICT (digest) DO UPDATE SET condemned = false WHERE finding_lists.condemned RETURNING id, digest`,
      [added.map(({ digest }) => digest), added.map(({ size }) => size), added.map(({ bytes }) => bytes)],
    );
    for (const row of rows) ids.set(keyOf(row), row.id);
    // Another transaction stored the others meanwhile.
    await find();
  }
  return lists.map((list) => {
    const id = ids.get(keyOf(list));
    if (id === undefined) throw new Error('a finding list was not stored');
    return id;
  });
}

function keyOf({ digest }: Pick<EncodedFindingList, 'digest'>): string {
  return digest.toString('latin1');
}
