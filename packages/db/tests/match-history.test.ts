import type { PackageVersionId } from '@plimsoll/model';
import { createTestDatabase, type TestDatabase } from '@plimsoll/testing';
import { verifyHistory } from '../src/judging/verify/verify-history.ts';
import { asKnownAt } from '../src/knowledge/as-known-at.ts';
import { loadMatchedStatements } from '../src/knowledge/statements.ts';
import { importRecords, matchedVersion } from './record-import.ts';

let database: TestDatabase;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  // Whatever a test imported, its history must follow from the statements of each time.
  const differences = await contradictions();
  await database.drop();
  expect(differences).toEqual([]);
});

async function contradictions(): Promise<string[]> {
  const found: string[] = [];
  for await (const piece of verifyHistory(database.db)) found.push(...piece.map(({ detail }) => detail));
  return found;
}

const cve = 'CVE-2026-0001';

/** The intervals of a version's matches, the oldest first: `record severity since-cause until-cause`. */
async function intervals(version: PackageVersionId): Promise<string[]> {
  const { rows } = await database.db.pool.query<{ line: string }>(
    `SELECT coalesce(p.external_id, a.external_id) || ' ' || m.since_cause || ' ' || m.until_cause AS line
     FROM (SELECT advisory_package_id, since, since_cause, '-' AS until_cause FROM package_version_advisories WHERE package_version_id = $1
           UNION ALL SELECT advisory_package_id, since, since_cause, until_cause FROM past_matches WHERE package_version_id = $1) m
     LEFT JOIN LATERAL (SELECT advisory_id FROM past_statements WHERE id = m.advisory_package_id LIMIT 1) ps ON true
     LEFT JOIN LATERAL (SELECT external_id FROM past_advisories WHERE id = ps.advisory_id LIMIT 1) p ON true
     LEFT JOIN advisory_packages ap ON ap.id = m.advisory_package_id LEFT JOIN advisories a ON a.id = coalesce(ap.advisory_id, ps.advisory_id)
     ORDER BY m.since, line`,
    [version],
  );
  return rows.map(({ line }) => line);
}

/** The newest change's time, once it has passed for the clock. */
async function newestChange(): Promise<Date> {
  const { rows } = await database.db.pool.query<{ at: Date }>('SELECT max(at) AS at FROM knowledge_changes');
  const at = rows[0]?.at;
  if (at === undefined) throw new Error('nothing changed');
  return at;
}

const knownAt = async (version: PackageVersionId, at: Date) =>
  ((await loadMatchedStatements(asKnownAt(database.db.pool, at), [version])).get(version) ?? []).map(
    ({ externalId, severity, fix, knownExploited }) =>
      `${externalId} ${severity} ${fix.kind === 'fixed' ? fix.version : fix.reason}${knownExploited ? ' exploited' : ''}`,
  );

const ledger = async () =>
  (
    await database.db.pool.query<{ line: string }>(
      `SELECT c.kind || ' ' || e.event || ' ' || e.cause AS line FROM knowledge_change_entries e
       JOIN knowledge_changes c ON c.id = e.change_id ORDER BY c.id, line`,
    )
  ).rows.map(({ line }) => line);

it('keeps what was known before each change, with the cause of the change', async () => {
  const version = await matchedVersion(database, '2-1');
  await importRecords(database, [{ id: cve, fixed: null }]);
  const published = await newestChange();
  await importRecords(database, [{ id: cve, fixed: '3-1', severity: 'important' }]);
  const rated = await newestChange();
  await importRecords(database, [{ id: cve, fixed: '1-1', severity: 'important' }]);
  const corrected = await newestChange();
  await importRecords(database, [{ id: cve, fixed: '4-1', severity: 'important' }]);
  const affectedAgain = await newestChange();
  await importRecords(database, [{ id: cve, fixed: '4-1', severity: 'important', withdrawn: true }]);
  const withdrawn = await newestChange();

  expect(await knownAt(version, new Date(published.getTime() - 1))).toEqual([]);
  expect(await knownAt(version, published)).toEqual([`${cve} moderate no_fix`]);
  expect(await knownAt(version, new Date(rated.getTime() - 1))).toEqual([`${cve} moderate no_fix`]);
  expect(await knownAt(version, rated)).toEqual([`${cve} important 3-1`]);
  expect(await knownAt(version, corrected)).toEqual([]);
  expect(await knownAt(version, affectedAgain)).toEqual([`${cve} important 4-1`]);
  expect(await knownAt(version, withdrawn)).toEqual([]);
  expect(await intervals(version)).toEqual([
    `${cve} advisory_published advisory_changed`,
    `${cve} advisory_changed advisory_withdrawn`,
  ]);
  expect(await ledger()).toEqual([
    'import opened advisory_published',
    'import closed advisory_changed',
    'import opened advisory_changed',
    'import closed advisory_withdrawn',
  ]);
});

it('changes nothing when a record is only exported anew', async () => {
  const version = await matchedVersion(database, '2-1');
  await importRecords(database, [{ id: cve, fixed: '3-1', modifiedAt: new Date('2026-03-01') }]);
  await importRecords(database, [{ id: cve, fixed: '3-1', modifiedAt: new Date('2026-04-01') }]);
  expect(await intervals(version)).toEqual([`${cve} advisory_published -`]);
  const { prisma } = database.db;
  expect([await prisma.pastAdvisory.count(), await prisma.pastStatement.count()]).toEqual([0, 0]);
});

it.each([
  [
    'an interval that overlaps another',
    "UPDATE past_matches SET until = until + interval '1 day'",
    /overlaps/,
  ],
  ['a content that is missing', 'DELETE FROM past_statements', /no content/],
  [
    'a match that the statements do not give',
    "UPDATE past_matches SET severity = 'low'",
    /the statements give/,
  ],
  ['a match that is missing', 'DELETE FROM past_matches', /the statements give/],
])('verifying finds %s', async (_name, damage, expected) => {
  await matchedVersion(database, '2-1');
  await importRecords(database, [{ id: cve, fixed: null }]);
  await importRecords(database, [{ id: cve, fixed: '1-1' }]);
  await importRecords(database, [{ id: cve, fixed: '4-1' }]);
  expect(await contradictions()).toEqual([]);
  await database.db.pool.query(damage);
  const found = await contradictions();
  expect(found.length).toBeGreaterThan(0);
  expect(found.join('\n')).toMatch(expected);
  await database.db.pool.query('TRUNCATE past_matches, past_statements, package_version_advisories');
  await database.db.pool.query('DELETE FROM advisories');
});
