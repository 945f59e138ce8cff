import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { HostId, PackageVersionId, PackageVersionIdentity, Release } from '@plimsoll/model';
import {
  createTestDatabase,
  enrolHost,
  issueToken,
  type TestDatabase,
  testPostgresUrl,
} from '@plimsoll/testing';
import pg from 'pg';
import { inPgTransaction } from '../src/database.ts';
import { loadPackageChains } from '../src/history/load-exposures.ts';
import { changesIn, versionsIn, writePackageChanges } from '../src/history/package-changes.ts';
import { applyMigrations, createInterner } from '../src/index.ts';
import { encodePackageSet } from '../src/interning/package-set.ts';
import { packageIdentity } from './interned-host.ts';
import { onDatabase } from './on-database.ts';

const at = new Date('2026-11-01T12:00:00Z');
const start = new Date('2026-10-01T12:00:00Z');
/** A host can send every text without control characters as a name; these are special in PostgreSQL's arrays. */
const names = ['NULL', 'null', '', '"', '\\', '\\"', 'a,b', '{}', '{', ' x ', "it's", 'ü', '\\x41', '$1'];

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

async function versionsOf(
  identities: readonly PackageVersionIdentity[],
): Promise<readonly PackageVersionId[]> {
  const interning = await createInterner(database.db).begin();
  const release = await interning.release({
    name: 'debian:12' as Release,
    feedId: null,
    endsAt: null,
    rules: 1,
  });
  return interning.packageVersions(release, identities, async () => undefined);
}

const write = (
  host: HostId,
  sequence: string,
  before: readonly PackageVersionId[],
  after: readonly PackageVersionId[],
) =>
  inPgTransaction(database.db.pool, (tx) =>
    writePackageChanges(tx, [
      {
        hostId: host,
        sequence,
        receivedAt: at,
        before: encodePackageSet(before).ids,
        after: encodePackageSet(after).ids,
      },
    ]),
  );

/** The changes of a host in their order: name, architecture, before, after. */
async function changesOf(host: HostId): Promise<unknown[]> {
  const { rows } = await database.db.pool.query(
    `SELECT p.sequence, c.name, c.architecture, c.from_id, c.to_id
     FROM package_changes p CROSS JOIN LATERAL ${changesIn('p')} WHERE p.host_id = $1 ORDER BY p.sequence, c.n`,
    [host],
  );
  return rows.map((row) => Object.values(row));
}

it('keeps every name as it is, with the version before and after, also of packages that came and went', async () => {
  const host = await enrolHost(database.db, (await issueToken(database.db)).secret);
  const old = await versionsOf(names.map((name) => packageIdentity(name)));
  const next = await versionsOf(names.map((name) => ({ ...packageIdentity(name), version: '1.1' })));
  const [gone, come] = await versionsOf([packageIdentity('gone'), packageIdentity('come')]);
  if (gone === undefined || come === undefined) throw new Error('both were stored');
  await write(host, '2', [...old, gone], [...next, come]);

  const expected = [
    ...names.map((name, index) => ['2', name, 'amd64', old[index], next[index]]),
    ['2', 'come', 'amd64', 0, come],
    ['2', 'gone', 'amd64', gone, 0],
  ];
  expect(new Set(await changesOf(host))).toEqual(new Set(expected));
  const installed = [
    ...names.map((name, index) => ({ name, id: next[index] })),
    { name: 'come', id: come },
  ].map(({ name, id }) => ({ name, architecture: 'amd64', id: id ?? come }));
  const chains = await loadPackageChains(
    database.db.pool,
    { hostId: host, firstSnapshotAt: start },
    { names: null, installed },
  );
  const stays = chains.flatMap(({ name, chains: own }) => own.map((chain) => [name, chain.stays] as const));
  expect(new Map(stays)).toEqual(
    new Map<string, unknown>([
      ...names.map(
        (name, index) =>
          [
            name,
            [
              { versionId: old[index], from: start, until: at },
              { versionId: next[index], from: at, until: null },
            ],
          ] as const,
      ),
      ['come', [{ versionId: come, from: at, until: null }]] as const,
      ['gone', [{ versionId: gone, from: start, until: at }]] as const,
    ]),
  );
});

it('of several installed versions, each is followed by the same build, then by another one', async () => {
  const host = await enrolHost(database.db, (await issueToken(database.db)).secret);
  const of = (version: string, vendor: string) => ({ ...packageIdentity('gpg-pubkey'), version, vendor });
  // Numbered one after the other: of the later ones the order is another.
  const all: readonly [string, string][] = [
    ['1', 'A'],
    ['2', 'A'],
    ['3', 'A'],
    ['4', 'B'],
    ['2', 'B'],
    ['1', 'B'],
  ];
  const ids: PackageVersionId[] = [];
  for (const [version, vendor] of all) ids.push(...(await versionsOf([of(version, vendor)])));
  const [one, two, gone, other, second, first] = ids;
  await write(host, '2', ids.slice(0, 3), ids.slice(3));
  expect((await changesOf(host)).map((row) => (row as unknown[]).slice(3))).toEqual([
    [one, first],
    [two, second],
    [gone, other],
  ]);
});

it('has no row for a snapshot that changed nothing', async () => {
  const host = await enrolHost(database.db, (await issueToken(database.db)).secret);
  const ids = await versionsOf([packageIdentity('bash')]);
  await write(host, '2', ids, ids);
  expect(await changesOf(host)).toEqual([]);
});

it('finds who had a version by an index', async () => {
  const { rows } = await database.db.pool
    .query<{ 'QUERY PLAN': string }>(
      `SET enable_seqscan = off; EXPLAIN SELECT FROM package_changes p WHERE ${versionsIn('p')} && ARRAY[7]`,
    )
    .then((answers) => (answers as unknown as { rows: { 'QUERY PLAN': string }[] }[])[1] ?? { rows: [] });
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('package_changes_versions');
});

it('the migration makes a row for each snapshot of the rows for each change, in their order', async () => {
  const migrations = path.resolve(__dirname, '../../../prisma/migrations');
  const earlier = await mkdtemp(path.join(tmpdir(), 'plimsoll-migrations-'));
  const name = `changes_${process.pid}_${Date.now()}`;
  const url = new URL(testPostgresUrl());
  const server = new pg.Client({ connectionString: url.href });
  await server.connect();
  try {
    await server.query(`CREATE DATABASE ${name}`);
    url.pathname = `/${name}`;
    for (const entry of await readdir(migrations))
      if (entry < '20261128150000' || entry.endsWith('.toml'))
        await cp(path.join(migrations, entry), path.join(earlier, entry), { recursive: true });
    await applyMigrations({ databaseUrl: url.href, migrationsDir: earlier });
    const host = '00000000-0000-4000-8000-000000000001';
    await onDatabase(url.href, async (client) => {
      await client.query(
        `INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname) VALUES ($1, 'agent', 'approved', 'a', 'a')`,
        [host],
      );
      await client.query(
        `INSERT INTO package_changes (host_id, sequence, n, name, architecture, at, from_id, to_id) VALUES
         ($1, 3, 1, 'b', 'all', $2, NULL, 5), ($1, 3, 0, '"\\', 'amd64', $2, 4, NULL), ($1, 2, 0, 'b', 'all', $3, 1, 2)`,
        [host, at, start],
      );
    });
    await applyMigrations({ databaseUrl: url.href, migrationsDir: migrations });
    const rows = await onDatabase(url.href, async (client) => {
      await client.query(`INSERT INTO package_changes VALUES ($1, 4, $2, '{b}', '{all}', '{2}', '{3}')`, [
        host,
        at,
      ]);
      const rhythms = await client.query('SELECT due FROM patch_rhythms WHERE host_id = $1', [host]);
      expect(rhythms.rows).toEqual([{ due: true }]);
      return (await client.query('SELECT * FROM package_changes WHERE sequence < 4 ORDER BY sequence')).rows;
    });
    expect(rows).toEqual([
      {
        host_id: host,
        sequence: '2',
        at: start,
        names: ['b'],
        architectures: ['all'],
        from_ids: [1],
        to_ids: [2],
      },
      {
        host_id: host,
        sequence: '3',
        at,
        names: ['"\\', 'b'],
        architectures: ['amd64', 'all'],
        from_ids: [4, 0],
        to_ids: [0, 5],
      },
    ]);
  } finally {
    await server.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    await server.end();
    await rm(earlier, { recursive: true });
  }
});
