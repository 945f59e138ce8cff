import { createExplainStore } from '@plimsoll/db';
import type { Release, Statement } from '@plimsoll/model';
import { databasePerTest } from '@plimsoll/testing';
import { contextOf, importFile } from './worker-under-test.ts';

const database = databasePerTest();

const older = 'CVE-2021-3782';
const newer = 'CVE-2022-0001';

/** An entry of USN-5614-1 about wayland, with the CVEs that the notice fixes in a release. */
function entryOf(number: string, fixed: string, cves: readonly string[]) {
  return {
    package: { ecosystem: `Ubuntu:${number}:LTS`, name: 'wayland' },
    ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
    database_specific: {
      cves_map: {
        ecosystem: `Ubuntu:${number}:LTS`,
        cves: cves.map((id) => ({ id, severity: [{ type: 'Ubuntu', score: 'medium' }] })),
      },
    },
  };
}

function notice(cvesOfFocal: readonly string[]) {
  return JSON.stringify({
    id: 'USN-5614-1',
    upstream: [`UBUNTU-${older}`, `UBUNTU-${newer}`],
    published: '2022-09-15T16:43:06Z',
    affected: [
      entryOf('18.04', '1.16.0-1ubuntu1.1~18.04.4', [older]),
      entryOf('20.04', '1.18.0-1ubuntu0.1', cvesOfFocal),
    ],
  });
}

const catalog = JSON.stringify({
  title: 'CISA Catalog of Known Exploited Vulnerabilities',
  catalogVersion: '2026.08.07',
  dateReleased: '2026-08-07T00:00:00.000Z',
  count: 1,
  vulnerabilities: [{ cveID: older, dateAdded: '2026-08-01' }],
});

async function statementsOf(name: string): Promise<readonly Statement[]> {
  const release = await database.db.prisma.release.findUniqueOrThrow({ where: { name } });
  const version = {
    id: 1,
    releaseId: release.id,
    release: name as Release,
    matchName: 'wayland',
    sourceName: 'wayland',
    // The fields that the reader uses.
  } as unknown as Parameters<ReturnType<typeof createExplainStore>['statedOf']>[0][number];
  const stated = await createExplainStore(database.db).statedOf([version]);
  return [...stated.values()].flatMap(({ statements }) => statements);
}

it('a notice is about the CVEs of each release alone, known exploited ones too', async () => {
  const context = contextOf(database, null);
  const bring = (text: string) => importFile(context, text);
  expect(await bring(catalog)).toMatchObject({ state: 'done', recordsRejected: 0 });
  expect(await bring(notice([newer]))).toMatchObject({ recordsChanged: 1, recordsRejected: 0 });
  const facts = async (name: string) =>
    (await statementsOf(name)).map(({ cves, knownExploited }) => ({ cves, knownExploited }));
  expect(await facts('ubuntu:18.04')).toEqual([{ cves: [older], knownExploited: true }]);
  expect(await facts('ubuntu:20.04')).toEqual([{ cves: [newer], knownExploited: false }]);
  const releasesWith = async (cve: string) =>
    (await createExplainStore(database.db).advisoriesNamed(cve)).flatMap(({ packages }) =>
      packages.map(({ release }) => release),
    );
  expect(await releasesWith(older)).toEqual(['ubuntu:18.04']);
  expect(await releasesWith('USN-5614-1')).toEqual(['ubuntu:18.04', 'ubuntu:20.04']);

  expect(await bring(notice([newer]))).toMatchObject({ recordsChanged: 0 });
  expect(await bring(notice([older, newer]))).toMatchObject({ recordsChanged: 1 });
  expect(await facts('ubuntu:20.04')).toEqual([{ cves: [older, newer], knownExploited: true }]);
});

it('hosts are counted again when a CVE of their release becomes exploited, although the notice had one before', async () => {
  const context = contextOf(database, null);
  await importFile(context, notice([newer]));
  await importFile(context, catalog);
  const { prisma } = database.db;
  const statement = await prisma.advisoryPackage.findFirstOrThrow({
    where: { release: { name: 'ubuntu:20.04' } },
  });
  const { id } = await prisma.packageVersion.create({
    data: {
      digest: Buffer.alloc(16, 1),
      releaseId: statement.releaseId,
      name: 'libwayland-client0',
      architecture: 'amd64',
      version: '1.18.0-1',
      sourceName: 'wayland',
      sourceVersion: '1.18.0-1',
      vendor: 'Ubuntu',
      suite: '',
      module: '',
      verdict: {},
      advisories: {
        create: {
          advisoryPackageId: statement.id,
          since: statement.since,
          sinceCause: 'advisory_published',
          knownAt: statement.since,
        },
      },
    },
  });
  const changes = async () =>
    (await database.db.pool.query<{ ids: Buffer }>('SELECT ids FROM version_changes ORDER BY n')).rows.map(
      ({ ids }) => [...ids],
    );
  const before = await changes();
  await importFile(context, catalog.replace(older, newer));
  expect((await changes()).slice(before.length)).toEqual([[id]]);
});
