import { databasePerTest } from '@plimsoll/testing';
import { contextOf, importFile, noteRelease } from './worker-under-test.ts';

const database = databasePerTest();

const rocky = JSON.stringify({
  name: 'RLSA-2024:1',
  kind: 'Security',
  red_hat_advisory_id: 1,
  severity: 'Moderate',
  synopsis: 'Moderate: bash security update',
  published_at: '2024-01-01T00:00:00+00:00',
  cves: [],
  packages: [{ nevra: 'bash-0:5.1-2.el9.x86_64.rpm', product_name: 'Rocky Linux 9 x86_64' }],
});
const redHat = JSON.stringify({
  schema_version: '1.6.0',
  id: 'RHSA-2026:1001',
  modified: '2026-01-01T00:00:00Z',
  summary: 'Red Hat Security Advisory: curl security update',
  affected: [
    {
      package: { ecosystem: 'Red Hat:enterprise_linux:9::baseos', name: 'curl' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed: '0:7.76.1-30.el9' }] }],
    },
  ],
});

it('upstream’s feed never covers a release of a rebuild, however new its data is', async () => {
  const context = contextOf(database, null);
  await noteRelease(database, 'rocky', '9.4');
  const stored = async () => {
    const { prisma } = database.db;
    const release = await prisma.release.findUnique({ where: { name: 'rocky:9' } });
    const named = await prisma.advisoryPackage.findMany({ where: { release: { name: 'rocky:9' } } });
    return {
      feedId: release?.feedId,
      covered: release?.covered,
      names: named.map(({ name, names }) => `${name} ${names}`).sort(),
    };
  };
  expect(await importFile(context, redHat, { complete: true })).toMatchObject({ state: 'done' });
  const source = 'curl upstream_source';
  expect(await stored()).toEqual({ feedId: 'rocky-errata', covered: false, names: [source] });
  expect(await importFile(context, rocky, { complete: true })).toMatchObject({ state: 'done' });
  await importFile(context, redHat, { complete: true, asOf: new Date() });
  expect(await stored()).toEqual({
    feedId: 'rocky-errata',
    covered: true,
    names: ['bash null', source],
  });
});
