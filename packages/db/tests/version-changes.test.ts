import type { PackageVersionId, Release } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase, waitFor } from '@plimsoll/testing';
import type pg from 'pg';
import {
  changedVersionsOf,
  claimPiece,
  createRecountStore,
  endRecount,
  planRecount,
  releasePiece,
} from '../src/judging/counting/recount-pieces.ts';
import { noteVersionChange, readVersionChanges } from '../src/knowledge/package-versions.ts';

let database: TestDatabase;
let client: pg.PoolClient;
beforeAll(async () => {
  database = await createTestDatabase();
  client = await database.db.pool.connect();
});
afterAll(async () => {
  client.release();
  await database.drop();
});

const ids = (...numbers: number[]) => numbers as PackageVersionId[];
const note = (...numbers: number[]) =>
  noteVersionChange(client, { versions: ids(...numbers) }, { counted: true });

it('says which versions changed since the newest change that a cache has followed', async () => {
  await note(3, 1);
  const first = await readVersionChanges(client, null);
  expect(first.versions).toBeNull();
  expect(await readVersionChanges(client, first.newest)).toEqual({ newest: first.newest, versions: [] });
  await note(700, 5);
  await note(5);
  const { newest, versions } = await readVersionChanges(client, first.newest);
  expect([...new Set(versions)].sort((a, b) => a - b)).toEqual([5, 700]);
  expect(Number(newest)).toBeGreaterThan(Number(first.newest));
});

it('does not know the changes after one that was rolled back', async () => {
  await client.query('BEGIN');
  await note(1);
  const { newest } = await readVersionChanges(client, null);
  await client.query('ROLLBACK');
  expect((await readVersionChanges(client, newest)).versions).toBeNull();
  await note(2);
  expect((await readVersionChanges(client, newest)).versions).toBeNull();
});

it('keeps a bounded number of changes, and does not know those after one that it dropped', async () => {
  const { newest } = await readVersionChanges(client, null);
  for (let change = 0; change < 300; change += 1) await note(change + 1);
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(*)::int AS count FROM version_changes',
  );
  expect(rows[0]?.count).toBe(256);
  expect((await readVersionChanges(client, newest)).versions).toBeNull();
});

it('does not know the changes after one that is not counted yet, if newer ones were dropped', async () => {
  await noteVersionChange(client, { versions: ids(8) });
  const { newest } = await readVersionChanges(client, null);
  for (let change = 0; change < 255; change += 1) await note(change + 1);
  expect((await readVersionChanges(client, newest)).versions).toHaveLength(255);
  for (let change = 0; change < 45; change += 1) await note(change + 1);
  expect((await readVersionChanges(client, newest)).versions).toBeNull();
  await client.query('DELETE FROM version_changes');
});

it('keeps every change whose hosts are not counted yet, and divides their hosts as one', async () => {
  const { waiting } = createRecountStore(database.db);
  expect(await waiting()).toBe(0);
  await noteVersionChange(client, { versions: ids(9, 4) });
  for (let change = 0; change < 300; change += 1) await note(change + 1);
  await noteVersionChange(client, { versions: ids(4), releases: ['debian:12' as Release] });
  expect(await waiting()).toBe(1);
  await planRecount(database.db);
  await planRecount(database.db);
  // Without sets there is only the piece of running kernels.
  expect(await waiting()).toBe(1);
  const piece = await claimPiece(client);
  if (piece === null) throw new Error('there is no piece');
  expect(piece.changes).toHaveLength(2);
  expect(await changedVersionsOf(client, piece)).toEqual({
    versions: new Set([4, 9]),
    highest: 9,
    releases: ['debian:12'],
  });
  expect(await endRecount(database.db)).toBe(false);
  await releasePiece(client, piece);
  expect(await endRecount(database.db)).toBe(true);
  expect(await waiting()).toBe(0);
});

it('gives each piece to one process at a time, and the piece of a lost connection to another', async () => {
  await client.query(
    `INSERT INTO package_sets (digest, n, ids) SELECT int4send(n), 0, '' FROM generate_series(1, 5001) n`,
  );
  await noteVersionChange(client, { versions: ids(1) });
  await planRecount(database.db);
  const { pool } = database.db;
  const claimers = [client];
  try {
    while (claimers.length < 4) claimers.push(await pool.connect());
    const pieces: Awaited<ReturnType<typeof claimPiece>>[] = [];
    for (const claimer of claimers) pieces.push(await claimPiece(claimer));
    // Three ranges of sets, and the running kernels.
    expect(new Set(pieces.map((piece) => piece?.n)).size).toBe(4);
    const ranges = pieces.flatMap((piece) => piece?.sets ?? []);
    expect(ranges.map(({ first, last }) => last - first + 1)).toEqual([2_500, 2_500, 1]);
    claimers.pop()?.release(true);
    const other = await pool.connect();
    claimers.push(other);
    await waitFor('the claim to end', async () => (await claimPiece(other))?.n === pieces[3]?.n);
    const late = await pool.connect();
    claimers.push(late);
    expect(await claimPiece(late)).toBeNull();
  } finally {
    for (const claimer of claimers.slice(1)) claimer.release(true);
  }
});
