import { summarisePackage } from '@plimsoll/advisories';
import { anyBuild, type PackageVersionId } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { loadSubjects } from '../src/knowledge/load-subjects.ts';
import { matchNewVersions } from '../src/knowledge/match-versions.ts';
import { loadMatchedStatements } from '../src/knowledge/statements.ts';
import { VersionMemory } from '../src/knowledge/version-memory.ts';
import { arrivedVersion, importExploited, importRecords } from './record-import.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const cves = ['CVE-2026-0001', 'CVE-2026-0002', 'CVE-2026-0003'];

/** Records of every kind that a stored match has a form for: plain, of several CVEs some of which are fixed, rated anew. */
async function importAll(): Promise<void> {
  await importRecords(database, [
    { id: 'CVE-2026-0001', fixed: '1-3', severity: 'low' },
    { id: 'CVE-2026-0002', fixed: '1-2', severity: 'critical' },
    { id: 'CVE-2026-0003', fixed: null },
    // No record judges the last CVE, so that the erratum counts; another one has fixed it.
    {
      id: 'DSA-1',
      kind: 'erratum',
      cves: [...cves.slice(0, 2), 'CVE-2026-0009'],
      fixed: '1-3',
      severity: 'critical',
    },
    { id: 'DSA-4', kind: 'erratum', cves: ['CVE-2026-0009'], fixed: '1-1' },
    { id: 'DSA-2', kind: 'erratum', cves: cves.slice(1, 2), fixed: '1-2' },
    {
      id: 'DSA-3',
      kind: 'erratum',
      cves: [],
      fixed: '9-1',
      builds: [anyBuild, { ...anyBuild, line: 'esm' }],
    },
  ]);
}

const versions = ['1-1', '1-1+b1', '1-2', '1-2+b1', '1-3', '1-3+b1', '9-1'];

async function matchAll(memory: VersionMemory, some: readonly string[]): Promise<PackageVersionId[]> {
  const ids: PackageVersionId[] = [];
  for (const version of some) ids.push(await arrivedVersion(database, version));
  await matchNewVersions(database.as('advisory-worker'), async () => ids, memory);
  return ids;
}

it.each([false, true])(
  'a version that was just matched has the summary of one that is loaded (dated: %s)',
  async (isDated) => {
    await importAll();
    const memory = new VersionMemory();
    memory.followPolicy(isDated);
    // Versions of one class at once, and later.
    const ids = [
      ...(await matchAll(memory, versions)),
      ...(await matchAll(memory, ['1-1+b2', '1-2+b2', '1-4'])),
    ];
    const { pool } = database.as('advisory-worker');
    let loaded = 0;
    for await (const subject of loadSubjects(pool, ids, isDated)) {
      expect(memory.get(subject.id)).toEqual(summarisePackage(subject));
      loaded += 1;
    }
    expect(loaded).toBe(ids.length);
    const matched = await loadMatchedStatements(pool, ids);
    const open = [...matched.values()].flat();
    expect(open.some(({ openCves }) => openCves !== undefined)).toBe(true);
    expect(open.some(({ severitySource }) => severitySource === 'cves')).toBe(true);
    expect(new Set([...matched.values()].map(({ length }) => length)).size).toBeGreaterThan(2);
  },
);

it('versions of one class have the matches that each has alone', async () => {
  await importAll();
  const shared = await matchAll(new VersionMemory(), [...versions, '1-1+b2', '1-4']);
  const statements = await loadMatchedStatements(database.db.pool, shared);
  const together = shared.map((id) => statements.get(id) ?? []);
  const other = await createTestDatabase();
  try {
    const first = database;
    database = other;
    await importAll();
    const alone: unknown[] = [];
    for (const version of [...versions, '1-1+b2', '1-4']) {
      const [id] = await matchAll(new VersionMemory(), [version]);
      if (id === undefined) throw new Error('one was matched');
      alone.push((await loadMatchedStatements(other.db.pool, [id])).get(id) ?? []);
    }
    const bare = (all: readonly unknown[]) =>
      JSON.parse(JSON.stringify(all).replaceAll(/"firstSeenAt":"[^"]*"/g, '"firstSeenAt":""'));
    database = first;
    expect(bare(together)).toEqual(bare(alone));
  } finally {
    await other.drop();
  }
});

it('forgets what it found when a record changes', async () => {
  await importAll();
  const memory = new VersionMemory();
  const [before] = await matchAll(memory, ['1-1']);
  await importRecords(database, [{ id: 'CVE-2026-0003', fixed: '1-1' }]);
  const { pool } = database.as('advisory-worker');
  await memory.follow(pool);
  expect(() => memory.get(before ?? (0 as PackageVersionId))).toThrow('does not exist');
  const [after] = await matchAll(memory, ['1-1+b9']);
  const statements = (await loadMatchedStatements(pool, [after ?? (0 as PackageVersionId)]))
    .values()
    .next().value;
  expect(statements?.map(({ externalId }) => externalId)).not.toContain('CVE-2026-0003');
});

it('knows that a CVE is exploited which affected no version before', async () => {
  await importRecords(database, [{ id: 'CVE-2026-0001', fixed: '1-3' }]);
  const memory = new VersionMemory();
  await matchAll(memory, ['1-4']);
  await importExploited(database, ['CVE-2026-0001']);
  const [old] = await matchAll(memory, ['1-1']);
  expect(memory.get(old ?? (0 as PackageVersionId)).weight).toMatchObject({ knownExploited: true });
});
