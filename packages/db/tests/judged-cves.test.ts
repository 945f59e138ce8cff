import type { Release } from '@plimsoll/model';
import { databasePerTest } from '@plimsoll/testing';
import type { Statements } from '../src/core/transaction.ts';
import { verifyHistory } from '../src/judging/verify/verify-history.ts';
import { cvesToScanFor, JudgedCveMemory, loadJudgedCves } from '../src/knowledge/judged-cves.ts';
import { importRecords, matchedVersion } from './record-import.ts';

const database = databasePerTest();

const cves = (count: number) => Array.from({ length: count }, (_, n) => `CVE-2026-${1_000 + n}`);
const [judged = '', withdrawn = '', erratum = '', shared = '', tracked = '', unknown = ''] = cves(6);

const records = [
  { id: judged, fixed: '2-1' },
  { id: withdrawn, fixed: '2-1', withdrawn: true },
  { id: 'DSA-1', kind: 'erratum', cves: [erratum], fixed: '2-1' },
  { id: 'DEBIAN-9', cves: [judged, shared], fixed: null },
  { id: tracked, feed: 'debian-tracker', fixed: '2-1' },
] as const;

async function versionOf(name: Release) {
  const { rows } = await database.db.pool.query<{ id: number }>('SELECT id FROM releases WHERE name = $1', [
    name,
  ]);
  return { release: name, releaseId: rows[0]?.id ?? 0 };
}

it('are the same by look-ups of few and by a scan for many', async () => {
  await importRecords(database, records);
  const version = await versionOf('debian:12' as Release);
  const few = await loadJudgedCves(database.db.pool, cves(6));
  const many = await loadJudgedCves(database.db.pool, cves(cvesToScanFor + 1));
  const of = ({ has }: typeof few) => cves(cvesToScanFor + 1).filter((cve) => has(version, cve));
  expect(of(few)).toContain(judged);
  expect(of(few)).toContain(shared);
  for (const cve of [withdrawn, erratum, unknown]) expect(of(few)).not.toContain(cve);
  expect(of(many)).toEqual(of(few));
  // Of another distribution.
  expect(few.has({ release: 'ubuntu:24.04' as Release, releaseId: 999 }, judged)).toBe(false);
});

it('are read once by a memory, also those that no vendor judges', async () => {
  await importRecords(database, records);
  const version = await versionOf('debian:12' as Release);
  const asked: unknown[] = [];
  const client: Statements = {
    query(text, values) {
      asked.push(values?.[0]);
      return database.db.pool.query(text, values);
    },
  };
  const memory = new JudgedCveMemory();
  const first = await memory.load(client, [judged, unknown, judged]);
  const second = await memory.load(client, [unknown, judged, shared]);
  await memory.load(client, [judged, shared, unknown]);
  expect(asked).toEqual([[judged, unknown], [shared]]);
  expect([first, second].map(({ has }) => [judged, unknown].map((cve) => has(version, cve)))).toEqual([
    [true, false],
    [true, false],
  ]);
});

it('decide in a large import what they decide in a small one', async () => {
  const errata = [1, 2, 3].map((n) => ({
    id: `DSA-${n}`,
    kind: 'erratum' as const,
    cves: cves(3 * n).slice(-3),
    fixed: '2-1',
  }));
  await importRecords(database, errata);
  const id = await matchedVersion(database, '1-1');
  const matches = async () =>
    (
      await database.db.pool.query<{ id: string }>(
        `SELECT a.external_id AS id FROM package_version_advisories m JOIN advisory_packages ap ON ap.id = m.advisory_package_id
         JOIN advisories a ON a.id = ap.advisory_id WHERE m.package_version_id = $1 AND a.kind = 'erratum' ORDER BY 1`,
        [id],
      )
    ).rows.map((row) => row.id);
  expect(await matches()).toEqual(['DSA-1', 'DSA-2', 'DSA-3']);
  const [first = []] = errata.map((record) => record.cves);
  await importRecords(
    database,
    first.map((cve) => ({ id: cve, fixed: '2-1' })),
  );
  expect(await matches()).toEqual(['DSA-2', 'DSA-3']);
  await importRecords(
    database,
    cves(cvesToScanFor + 100).map((cve) => ({ id: cve, fixed: '2-1' })),
  );
  expect(await matches()).toEqual([]);
  for await (const piece of verifyHistory(database.db)) expect(piece).toEqual([]);
});
