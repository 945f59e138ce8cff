import type { PackageVersionId, Release } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import type pg from 'pg';
import {
  noteVersionChange,
  readUncountedChanges,
  readVersionChanges,
} from '../src/matching/package-versions.ts';

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

it('keeps every change whose hosts are not counted yet, and reads them as one', async () => {
  expect(await readUncountedChanges(database.db.pool)).toBeNull();
  await noteVersionChange(client, { versions: ids(9, 4) });
  for (let change = 0; change < 300; change += 1) await note(change + 1);
  await noteVersionChange(client, { versions: ids(4), releases: ['debian:12' as Release] });
  const uncounted = await readUncountedChanges(database.db.pool);
  expect(uncounted).toMatchObject({ versions: [4, 9], releases: ['debian:12'] });
  expect(uncounted?.numbers).toHaveLength(2);
});
