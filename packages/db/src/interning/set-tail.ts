import type pg from 'pg';

/** Sets read at once. */
const setsPerRead = 1_000;
/** Bytes of sets that are kept: a block of 4,096 sets of 720 packages takes 3 MB. Further sets are read each time. */
const keptBytes = 8 * 1024 * 1024;

/**
 * The package sets behind the posted blocks, kept between questions, because each question reads all of them. A set
 * never changes; it is known by its id and digest, because a restored backup can give its id to another one.
 */
export class SetTail {
  private kept: ReadonlyMap<string, Uint8Array> = new Map();

  /** Takes the sets with ids in a range that the snapshot of `client` has, ascending. */
  async each(
    client: pg.Pool | pg.PoolClient,
    { first, last }: { readonly first: number; readonly last: number },
    take: (id: number, ids: Uint8Array) => void,
  ): Promise<void> {
    const { rows } = await client.query<{ keys: string | null }>(
      `SELECT string_agg(id || ' ' || encode(digest, 'base64'), ',' ORDER BY id) AS keys FROM package_sets
       WHERE id >= $1 AND id <= $2`,
      [first, last],
    );
    const keys = rows[0]?.keys?.split(',') ?? [];
    const known = this.kept;
    const kept = new Map<string, Uint8Array>();
    let bytes = 0;
    for (let n = 0; n < keys.length; n += setsPerRead) {
      const some = keys.slice(n, n + setsPerRead);
      const read = await readSets(client, some.filter((key) => !known.has(key)).map(idOf));
      for (const key of some) {
        const id = idOf(key);
        const ids = known.get(key) ?? read.get(id);
        if (ids === undefined) continue; // Deleted since, outside of a snapshot.
        bytes += ids.length;
        if (bytes <= keptBytes) kept.set(key, ids);
        take(id, ids);
      }
    }
    this.kept = kept;
  }
}

function idOf(key: string): number {
  return Number.parseInt(key, 10);
}

async function readSets(
  client: pg.Pool | pg.PoolClient,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Uint8Array>> {
  if (ids.length === 0) return new Map();
  const { rows } = await client.query<{ id: number; ids: Uint8Array }>(
    'SELECT id, ids FROM package_sets WHERE id = ANY($1::int[])',
    [ids],
  );
  return new Map(rows.map((row) => [row.id, row.ids]));
}
