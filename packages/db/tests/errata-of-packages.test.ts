import type { Release } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { loadErrataOf } from '../src/assessments/assessment-store.ts';
import type { Statements } from '../src/connection/transaction.ts';
import { asKnownAt } from '../src/history/as-known-at.ts';
import { importRecords } from './record-import.ts';

const debian = 'debian:12' as Release;
const [asked, other] = ['CVE-2026-1000', 'CVE-2026-2000'];

let database: TestDatabase;
let reads: Statements;
beforeEach(async () => {
  database = await createTestDatabase();
  const { pool } = database.as('api');
  reads = { query: (text, values) => pool.query(text, values) };
  await importRecords(database, [
    { id: asked, fixed: '1-2' },
    { id: 'DSA-1-1', kind: 'erratum', cves: [asked], fixed: '1-2' },
    { id: 'DSA-2-1', kind: 'erratum', cves: [other, asked], fixed: '1-3' },
    { id: 'DSA-3-1', kind: 'erratum', cves: [other], fixed: '1-3' },
    { id: 'DSA-4-1', kind: 'erratum', cves: [asked], fixed: '1-4', withdrawn: true },
  ]);
});
afterEach(() => database.drop());

/** The ids of the errata that name the CVE, sorted. */
async function idsOf(client: Statements, name: string, few: number | undefined, release = debian) {
  const found = await loadErrataOf(client, release, [{ name, cve: asked }], few);
  return found
    .filter(({ cves }) => cves.includes(asked))
    .map(({ externalId }) => externalId)
    .sort();
}

describe.each([
  ['by its statements', undefined],
  ['by its CVEs', 1],
])('the errata of a package, found %s', (_, few) => {
  it('are those in force that name its CVE', async () => {
    expect(await idsOf(reads, 'curl', few)).toEqual(['DSA-1-1', 'DSA-2-1']);
  });

  it('are of the package and the release', async () => {
    expect(await idsOf(reads, 'wget', few)).toEqual([]);
    expect(await idsOf(reads, 'curl', few, 'debian:11' as Release)).toEqual([]);
  });

  it('are those known at a time', async () => {
    const [before, after] = [new Date('2026-01-01T00:00:00Z'), new Date(Date.now() + 60_000)];
    expect(await idsOf(asKnownAt(reads, before), 'curl', few)).toEqual([]);
    expect(await idsOf(asKnownAt(reads, after), 'curl', few)).toEqual(['DSA-1-1', 'DSA-2-1']);
  });
});

it('of a package with few statements are not looked for by CVE', async () => {
  const found = await loadErrataOf(reads, debian, [{ name: 'curl', cve: 'CVE-2026-9999' }]);
  expect(found.map(({ externalId }) => externalId).sort()).toEqual(['DSA-1-1', 'DSA-2-1', 'DSA-3-1']);
});
