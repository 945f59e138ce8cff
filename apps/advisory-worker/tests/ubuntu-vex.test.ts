import { createExplainStore } from '@plimsoll/db';
import type { Release } from '@plimsoll/model';
import { databasePerTest } from '@plimsoll/testing';
import { contextOf, importFile } from './worker-under-test.ts';

const database = databasePerTest();

const cve = 'CVE-2024-0001';
const osv = (priority: string) => ({
  id: `UBUNTU-${cve}`,
  upstream: [cve],
  severity: [{ type: 'Ubuntu', score: priority }],
  affected: [
    {
      package: { ecosystem: 'Ubuntu:22.04:LTS', name: 'curl' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }] }],
    },
  ],
});
const vex = {
  '@context': 'https://openvex.dev/ns/v0.2.0',
  timestamp: '2026-05-20T15:02:47.589121Z',
  statements: [
    {
      vulnerability: { name: cve },
      status: 'under_investigation',
      products: [{ '@id': 'pkg:deb/ubuntu/curl@1.0-1?arch=source&distro=jammy' }],
    },
  ],
};

it('OpenVEX of Ubuntu has the priority that OSV has for the CVE, negligible too', async () => {
  const context = contextOf(database, null);
  const bring = async (record: object) =>
    expect(await importFile(context, JSON.stringify(record))).toMatchObject({
      state: 'done',
      recordsRejected: 0,
    });
  const stated = async () => {
    const found = await database.db.prisma.advisoryPackage.findMany({
      where: { advisory: { feedId: 'ubuntu-vex' } },
    });
    return found.map(({ unfixedReason, severity }) => `${unfixedReason} ${severity}`);
  };
  await bring(vex);
  expect(await stated()).toEqual(['under_investigation unrated']);
  await bring(osv('high'));
  expect(await stated()).toEqual(['under_investigation important']);
  await bring(osv('negligible'));
  expect(await stated()).toEqual(['under_investigation none']);
});

it('OpenVEX judges no CVE for releases, because it does not say what is fixed', async () => {
  const context = contextOf(database, null);
  const [entry] = osv('high').affected;
  const notice = {
    id: 'USN-1-1',
    upstream: [cve],
    affected: [{ ...entry, package: { ...entry?.package, ecosystem: 'Ubuntu:24.04:LTS' } }],
  };
  for (const record of [notice, vex])
    expect(await importFile(context, JSON.stringify(record))).toMatchObject({ recordsRejected: 0 });
  const judged = async (name: string) => {
    const release = await database.db.prisma.release.findUniqueOrThrow({ where: { name } });
    const version = {
      id: 1,
      releaseId: release.id,
      release: name as Release,
      matchName: 'curl',
      sourceName: 'curl',
    } as unknown as Parameters<ReturnType<typeof createExplainStore>['statedOf']>[0][number]; // The fields it reads.
    const stated = [...(await createExplainStore(database.db).statedOf([version])).values()];
    return stated.flatMap(({ judgedCves }) => [...judgedCves]);
  };
  expect(await judged('ubuntu:24.04')).toEqual([]);
  await importFile(context, JSON.stringify({ ...osv('high'), modified: '2026-05-20T15:02:47Z' }));
  expect(await judged('ubuntu:24.04')).toEqual([cve]);
});
