import { type CveRating, cveRatingsIn, matchVersion, rateOpenCves } from '@plimsoll/advisories';
import { type PackageVersionId, type Severity, type Statement, severities } from '@plimsoll/model';
import type pg from 'pg';
import { holdAdvisories } from '../connection/locks.ts';
import { type Database, inPgTransaction, type PgTransaction } from '../database.ts';
import {
  packageVersionColumns,
  queryPackageVersions,
  type StoredPackageVersion,
} from './package-versions.ts';
import { loadJudgedCves, loadStatementsOf } from './statements.ts';

/** Matches those of the given package versions that were never matched. */
export async function matchNewVersions({ pool }: Database, ids: readonly PackageVersionId[]): Promise<void> {
  // First without a lock, because most uploads contain no new version.
  const unmatched = await pool.query(
    'SELECT FROM package_versions WHERE id = ANY($1::int[]) AND NOT matched LIMIT 1',
    [ids],
  );
  if (unmatched.rowCount === 0) return;
  await inPgTransaction(pool, async (tx) => {
    await holdAdvisories(tx);
    const rows = await queryPackageVersions(
      tx,
      `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
       WHERE v.id = ANY($1::int[]) AND NOT v.matched ORDER BY v.id FOR UPDATE OF v`,
      [ids],
    );
    await writeMatches(tx, rows);
    await tx.query('UPDATE package_versions SET matched = true WHERE id = ANY($1::int[])', [
      rows.map(({ id }) => id),
    ]);
  });
}

/** Replaces the stored matches of package versions with matches under the current rules. */
export async function writeMatches(
  tx: PgTransaction,
  versions: readonly StoredPackageVersion[],
): Promise<void> {
  const statements = await loadStatementsOf(tx, versions);
  const errataCves = new Set<string>();
  for (const { kind, cves } of statements.all) {
    if (kind === 'erratum') for (const cve of cves) errataCves.add(cve);
  }
  const judged = await loadJudgedCves(tx, [...errataCves]);
  const matches = versions.flatMap((version) => {
    const about = statements.about(version);
    if (about.length === 0) return [];
    const { id, releaseId } = version;
    const matched = matchVersion(version, about, (cve) => judged.has(version, cve));
    return [{ id, releaseId, matched, about }];
  });
  const rated = await rateMatches(tx, matches);
  await tx.query('DELETE FROM package_version_advisories WHERE package_version_id = ANY($1::int[])', [
    versions.map(({ id }) => id),
  ]);
  await insertMatches(
    tx,
    matches.flatMap(({ id }, index) => (rated[index] ?? []).map((statement) => ({ id, statement }))),
  );
}

async function insertMatches(
  tx: PgTransaction,
  rows: readonly { readonly id: PackageVersionId; readonly statement: Statement }[],
): Promise<void> {
  // unnest flattens arrays of arrays, so each list of CVEs is one text.
  await tx.query(
    `INSERT INTO package_version_advisories (package_version_id, advisory_package_id, open_cves, severity)
     SELECT version_id, statement_id, string_to_array(cves, ' '), severity
     FROM unnest($1::int[], $2::int[], $3::text[], $4::text[]) AS n (version_id, statement_id, cves, severity)`,
    [
      rows.map(({ id }) => id),
      rows.map(({ statement }) => statement.statementId),
      rows.map(({ statement: { openCves } }) => openCves?.join(' ') ?? null),
      rows.map(({ statement }) => openSeverity(statement)),
    ],
  );
}

/** The severity to store with a match; null: that of the statement. */
function openSeverity({ openCves, severity, severitySource }: Statement): Severity | null {
  return openCves === undefined || severitySource !== 'cves' ? null : severity;
}

/** A package version's match and all statements that its judgement depends on. */
interface OpenMatch {
  readonly releaseId: number;
  readonly matched: readonly Statement[];
  readonly about: readonly Statement[];
}

/**
 * The matches with the severity of their open CVEs; see rateOpenCves. The rating of a CVE is that of the same package
 * and release, otherwise the worst in any release of the distribution.
 */
async function rateMatches(
  client: pg.Pool | pg.PoolClient,
  matches: readonly OpenMatch[],
): Promise<readonly (readonly Statement[])[]> {
  const narrowed = matches.filter(({ matched }) => matched.some(({ openCves }) => openCves !== undefined));
  if (narrowed.length === 0) return matches.map(({ matched }) => matched);
  const cves = narrowed.flatMap(({ matched }) => matched.flatMap(({ openCves = [] }) => openCves));
  const elsewhere = await loadCveRatings(
    client,
    [...new Set(cves)],
    [...new Set(narrowed.map(({ releaseId }) => releaseId))],
  );
  return matches.map(({ releaseId, matched, about }) => {
    if (matched.every(({ openCves }) => openCves === undefined)) return matched;
    const own = cveRatingsIn(about);
    const ratingOf: CveRating = (cve) => own(cve) ?? elsewhere.get(`${releaseId}/${cve}`) ?? null;
    return matched.map((statement) => rateOpenCves(statement, ratingOf));
  });
}

/** The worst rating of CVEs by the vendor of each release's distribution, by release id, a slash and the CVE. */
async function loadCveRatings(
  client: pg.Pool | pg.PoolClient,
  cves: readonly string[],
  releaseIds: readonly number[],
): Promise<ReadonlyMap<string, Severity>> {
  const { rows } = await client.query<{ releaseId: number; cve: string; severity: Severity }>(
    `SELECT DISTINCT ON (wanted.id, c.cve) wanted.id AS "releaseId", c.cve, ap.severity
     FROM unnest($1::text[]) AS c (cve)
     JOIN advisories a ON a.cves @> ARRAY[c.cve] AND ${isCveRecord('a')} AND a.withdrawn_at IS NULL
     JOIN advisory_packages ap ON ap.advisory_id = a.id AND ap.stated_source = 'vendor'
     JOIN releases r ON r.id = ap.release_id
     JOIN releases wanted ON wanted.id = ANY($2::int[])
       AND split_part(wanted.name, ':', 1) = split_part(r.name, ':', 1)
     ORDER BY wanted.id, c.cve, ap.names IS NOT DISTINCT FROM 'upstream_source', array_position($3::text[], ap.severity)`,
    [cves, releaseIds, severities],
  );
  return new Map(rows.map(({ releaseId, cve, severity }) => [`${releaseId}/${cve}`, severity]));
}

/**
 * SQL: whether an advisory is the record of one CVE, not an update that names it. Red Hat's records of CVEs
 * are read as errata and have the CVE's own id.
 */
export function isCveRecord(alias: string): string {
  return `(${alias}.kind = 'vulnerability' OR ${alias}.external_id = ANY(${alias}.cves))`;
}
