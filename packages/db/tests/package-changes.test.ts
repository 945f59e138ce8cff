import type { HostId, PackageVersionId, PackageVersionIdentity, Release } from '@plimsoll/model';
import { databasePerTest, enrolHost, issueToken } from '@plimsoll/testing';
import { inPgTransaction } from '../src/core/database.ts';
import { createInterner } from '../src/index.ts';
import { encodePackageSet } from '../src/ingest/package-set.ts';
import { loadPackageChains } from '../src/judging/history/load-exposures.ts';
import { changesIn, versionsIn, writePackageChanges } from '../src/judging/history/package-changes.ts';
import { packageIdentity } from './interned-host.ts';

const at = new Date('2026-11-01T12:00:00Z');
const start = new Date('2026-10-01T12:00:00Z');
/** A host can send every text without control characters as a name; these are special in PostgreSQL's arrays. */
const names = ['NULL', 'null', '', '"', '\\', '\\"', 'a,b', '{}', '{', ' x ', "it's", 'ü', '\\x41', '$1'];

const database = databasePerTest();

async function versionsOf(
  identities: readonly PackageVersionIdentity[],
): Promise<readonly PackageVersionId[]> {
  const interning = await createInterner(database.db).begin();
  const release = await interning.release(
    { name: 'debian:12' as Release, feedId: null, endsAt: null, rules: 1 },
    async () => undefined,
  );
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
