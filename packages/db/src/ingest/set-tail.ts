import type pg from 'pg';

/** Sets read at once. */
const setsPerRead = 1_000;
/** Bytes of sets that are kept: a block of 4,096 sets of 720 packages takes 3 MB. Further sets are read each time. */
const keptBytes = 8 * 1024 * 1024;

/** A set with its encoded versions. */
interface TailSet {
  readonly id: number;
  /** The id and the digest: a restored backup can give the id to another set. */
  readonly key: string;
  readonly ids: Uint8Array;
}

interface IdRange {
  readonly first: number;
  readonly last: number;
}

/**
 * The package sets behind the posted blocks, kept between questions, because each question reads all of them. A set
 * never changes. A question first compares one digest over the ids and contents of all; if it differs, the question reads which sets
 * there are, and those that are new.
 */
export class SetTail {
  private kept: readonly TailSet[] = [];
  /** The digest over the kept sets; null if not all sets of the last range are kept. */
  private digest: string | null = null;

  /** Takes the sets with ids in a range that the snapshot of `client` has, ascending. */
  async each(
    client: pg.Pool | pg.PoolClient,
    range: IdRange,
    take: (id: number, ids: Uint8Array) => void,
  ): Promise<void> {
    const { kept, digest } = this;
    if (digest !== null && (await digestOf(client, range)) === digest) {
      for (const { id, ids } of kept) take(id, ids);
      return;
    }
    await this.readAnew(client, range, take);
  }

  /** Differs if sets were added to a range, or deleted; null: it has none. */
  stateOf(client: pg.Pool | pg.PoolClient, range: IdRange): Promise<string | null> {
    return digestOf(client, range);
  }

  private async readAnew(
    client: pg.Pool | pg.PoolClient,
    range: IdRange,
    take: (id: number, ids: Uint8Array) => void,
  ): Promise<void> {
    const { keys, digest } = await keysOf(client, range);
    const known = new Map(this.kept.map((set) => [set.key, set]));
    const kept: TailSet[] = [];
    let bytes = 0;
    for (let n = 0; n < keys.length; n += setsPerRead) {
      const some = keys.slice(n, n + setsPerRead);
      const read = await readSets(client, some.filter((key) => !known.has(key)).map(idOf));
      for (const key of some) {
        const id = idOf(key);
        const ids = known.get(key)?.ids ?? read.get(id);
        if (ids === undefined) continue; // Deleted since, outside of a snapshot.
        bytes += ids.length;
        if (bytes <= keptBytes) kept.push({ id, key, ids });
        take(id, ids);
      }
    }
    this.kept = kept;
    this.digest = kept.length === keys.length ? digest : null;
  }
}

/** SQL: one digest over the ids and digests of sets; null without sets. */
const rangeDigest = `encode(sha256(string_agg(int4send(id) || digest, ''::bytea ORDER BY id)), 'hex')`;

async function digestOf(client: pg.Pool | pg.PoolClient, { first, last }: IdRange): Promise<string | null> {
  const { rows } = await client.query<{ digest: string | null }>(
    `SELECT ${rangeDigest} AS digest FROM package_sets WHERE id >= $1 AND id <= $2`,
    [first, last],
  );
  return rows[0]?.digest ?? null;
}

async function keysOf(
  client: pg.Pool | pg.PoolClient,
  { first, last }: IdRange,
): Promise<{ readonly keys: readonly string[]; readonly digest: string | null }> {
  const { rows } = await client.query<{ keys: string | null; digest: string | null }>(
    `SELECT string_agg(id || ' ' || encode(digest, 'base64'), ',' ORDER BY id) AS keys, ${rangeDigest} AS digest
     FROM package_sets WHERE id >= $1 AND id <= $2`,
    [first, last],
  );
  return { keys: rows[0]?.keys?.split(',') ?? [], digest: rows[0]?.digest ?? null };
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
