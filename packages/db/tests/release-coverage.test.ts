import type { Release } from '@plimsoll/model';
import { ageHistory, databasePerTest } from '@plimsoll/testing';
import { loadCoverageAt } from '../src/knowledge/release-coverage.ts';
import { importRecords } from './record-import.ts';

const database = databasePerTest();

const record = { id: 'CVE-2026-0001', fixed: '3-1' };
const release = 'debian:12' as Release; // As registered.
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const rows = () => database.db.prisma.releaseCoverage.count();
const coverageAt = (at: Date) => loadCoverageAt(database.db.pool, release, at);

it('knows nothing before the first import', async () => {
  expect(await coverageAt(new Date())).toBeNull();
  await importRecords(database, [record], ['debian-osv']);
  expect(await coverageAt(daysAgo(1))).toBeNull();
  expect(await coverageAt(new Date(Date.now() + 60_000))).toMatchObject({
    feedId: 'debian-osv',
    covered: true,
    updatedAt: expect.any(Date),
    staleAfterSeconds: 259_200,
  });
});

it('notes a feed that is only confirmed once an hour', async () => {
  await importRecords(database, [record], ['debian-osv']);
  const first = await rows();
  await importRecords(database, [record], ['debian-osv']);
  expect(await rows()).toBe(first);
  await ageHistory(database.db.pool, 2);
  await importRecords(database, [record], ['debian-osv']);
  expect(await rows()).toBeGreaterThan(first);
  const before = await coverageAt(daysAgo(1));
  expect(before?.updatedAt?.getTime()).toBeLessThan(daysAgo(1.5).getTime());
  const now = await coverageAt(new Date(Date.now() + 60_000));
  expect(now?.updatedAt?.getTime()).toBeGreaterThan(daysAgo(0.5).getTime());
});

it('notes each change of what is known, also within the hour', async () => {
  await importRecords(database, [record], ['debian-osv']);
  const first = await rows();
  await database.db.pool.query(`UPDATE releases SET feed_id = NULL WHERE name = 'debian:12'`);
  await importRecords(database, [], ['debian-osv']);
  expect(await rows()).toBe(first + 1);
  expect(await coverageAt(new Date(Date.now() + 60_000))).toMatchObject({ feedId: null, covered: false });
});
