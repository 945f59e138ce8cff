import type { PackageVersionId } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import { inPgSnapshot } from '../src/core/database.ts';
import { createSetPostingStore } from '../src/index.ts';
import { encodePackageSet } from '../src/ingest/package-set.ts';
import { setsPerBlock as block, type SetRange } from '../src/ingest/set-numbers.ts';
import { findSetIds, findSets, readSetsBehind, visitSets } from '../src/ingest/set-postings.ts';

const sets = 2 * block + 700;

const database = databasePerFile();
beforeAll(() => insertSets(1, sets));

/** The versions of a set: 1 is in all, others in every second, third, 97th and 5,000th, and one of its own. */
function versionsOf(set: number): readonly PackageVersionId[] {
  const shared = [2, 3, 97, 5_000].filter((divisor) => set % divisor === 0);
  return [1, ...shared, 10_000 + set].map((id) => id as PackageVersionId); // Any number is an id here.
}

async function insertSets(from: number, to: number): Promise<void> {
  const made = Array.from({ length: to - from + 1 }, (_, n) => encodePackageSet(versionsOf(from + n)));
  await database.db.pool.query(
    `INSERT INTO package_sets (digest, n, ids) SELECT * FROM unnest($1::bytea[], $2::int[], $3::bytea[])`,
    [made.map(({ digest }) => digest), made.map(({ size }) => size), made.map(({ ids }) => ids)],
  );
}

/** The versions in question of every set that contains any, by id of the set. */
async function found(
  wanted: readonly number[],
  range?: SetRange,
): Promise<ReadonlyMap<number, readonly number[]>> {
  const { pool } = database.as('api');
  const versions = wanted as readonly PackageVersionId[]; // As above.
  const { heldOf, held } = await findSets(pool, versions, range === undefined ? {} : { range });
  expect(await findSetIds(pool, versions, range)).toEqual(new Set(heldOf.keys()));
  const bySet = new Map([...heldOf].sort(([a], [b]) => a - b).map(([set, at]) => [set, held[at] ?? []]));
  if (range !== undefined) return bySet;
  expect(await visited(versions)).toEqual(bySet);
  await inPgSnapshot(pool, async (tx) => {
    const again = await findSets(tx, versions, { behind: await readSetsBehind(tx) });
    expect(new Set(again.heldOf.keys())).toEqual(new Set(heldOf.keys()));
  });
  return bySet;
}

async function visited(
  versions: readonly PackageVersionId[],
): Promise<ReadonlyMap<number, readonly number[]>> {
  const sets = new Map<number, readonly number[]>();
  await visitSets(database.as('api').pool, versions, (set, held) => {
    expect(sets.has(set)).toBe(false);
    sets.set(set, held);
  });
  return new Map([...sets].sort(([a], [b]) => a - b));
}

function expected(
  wanted: readonly number[],
  stored: readonly number[],
): ReadonlyMap<number, readonly number[]> {
  const entries = stored.flatMap((set) => {
    const held = versionsOf(set).filter((version) => wanted.includes(version));
    return held.length === 0 ? [] : [[set, held] as const];
  });
  return new Map(entries);
}

const upTo = (last: number) => Array.from({ length: last }, (_, n) => n + 1);
const several = [[1], [97, 3], [5_000], [10_000 + block, 10_001 + block], [10_000 + sets], [4], []];
/** Of so many versions the length of the postings decides: those of the second question are short. */
const many = Array.from({ length: 100 }, (_, n) => 10_000 + n * 50);
const questions = [...several, [1, 2, 3, ...many], many];

async function postedBlocks(): Promise<readonly unknown[]> {
  return (await database.db.pool.query('SELECT block, sets FROM posted_blocks ORDER BY block')).rows;
}

describe('postings of package sets', () => {
  it('give the same sets before any block is posted and after', async () => {
    for (const wanted of questions) expect(await found(wanted)).toEqual(expected(wanted, upTo(sets)));
    const store = createSetPostingStore(database.as('scheduler'));
    expect(await store.post()).toBe(2);
    expect(await store.post()).toBe(0);
    expect(await postedBlocks()).toEqual([
      { block: 0, sets: block },
      { block: 1, sets: block },
    ]);
    for (const wanted of questions) expect(await found(wanted)).toEqual(expected(wanted, upTo(sets)));
  });

  it.each([
    { first: 1, last: 1 },
    { first: 50, last: 1_000 },
    { first: block, last: block + 1 },
    { first: block + 1, last: 2 * block },
    { first: 2 * block, last: 2 * block },
    { first: 2 * block, last: 2 * block + 1 },
    { first: 2 * block + 1, last: 2 * block + 97 },
    { first: sets, last: sets + 1_000 },
  ])('give all sets of a range: %j', async ({ first, last }) => {
    const among = upTo(sets).filter((set) => set >= first && set <= last);
    // Also with more versions than sets, of which each is then read.
    for (const wanted of [...questions, upTo(300)]) {
      const all = await found(wanted, { first, last });
      const inRange = new Map([...all].filter(([set]) => set >= first && set <= last));
      expect(inRange).toEqual(expected(wanted, among));
    }
  });

  it('do not count a block as complete while a transaction can still add a set to it', async () => {
    const { pool } = database.db;
    const store = createSetPostingStore(database.as('scheduler'));
    const adding = await pool.connect();
    try {
      await adding.query('BEGIN');
      const { ids, digest } = encodePackageSet(versionsOf(sets + 1));
      await adding.query('INSERT INTO package_sets (digest, n, ids) VALUES ($1, 3, $2)', [digest, ids]);
      await insertSets(sets + 2, 3 * block + 1);
      expect(await store.post()).toBe(0);
      const others = [...upTo(3 * block + 1)].filter((set) => set !== sets + 1);
      expect(await found([1])).toEqual(expected([1], others));
      await adding.query('COMMIT');
      expect(await found([1])).toEqual(expected([1], upTo(3 * block + 1)));
    } finally {
      adding.release();
    }
    expect(await store.post()).toBe(1);
    const wanted = [1, 10_000 + sets + 1, 10_000 + 3 * block + 1];
    expect(await found(wanted)).toEqual(expected(wanted, upTo(3 * block + 1)));
  });

  it('are made anew where most sets were deleted', async () => {
    const { pool } = database.db;
    const left = upTo(3 * block + 1).filter((set) => set > block || set % 4 === 0);
    await pool.query('DELETE FROM package_sets WHERE NOT id = ANY($1::int[])', [left]);
    expect(await createSetPostingStore(database.as('scheduler')).post()).toBe(1);
    expect(await postedBlocks()).toEqual([
      { block: 0, sets: block / 4 },
      { block: 1, sets: block },
      { block: 2, sets: block },
    ]);
    for (const wanted of questions) expect(await found(wanted)).toEqual(expected(wanted, left));
  });

  it('name each version of a set once, however many of a package one host has', async () => {
    const all = Array.from({ length: 500 }, (_, n) => (1_000_000 + n) as PackageVersionId); // As above.
    const { digest, size, ids } = encodePackageSet(all);
    const { rows } = await database.db.pool.query<{ id: number }>(
      'INSERT INTO package_sets (digest, n, ids) VALUES ($1, $2, $3) RETURNING id',
      [digest, size, ids],
    );
    const id = rows[0]?.id ?? 0;
    const { heldOf, held } = await findSets(database.as('api').pool, all);
    expect([...heldOf.keys()]).toEqual([id]);
    expect(held[heldOf.get(id) ?? 0]).toEqual(all);
    expect(held.flat()).toHaveLength(all.length);
  });
});
