import { matchVersion } from '@plimsoll/advisories';
import type { PackageVersionId, Severity, Statement } from '@plimsoll/model';
import { holdAdvisories } from '../connection/match-lock.ts';
import { inPgTransaction, type PgTransaction } from '../connection/pg-transaction.ts';
import type { Database } from '../database.ts';
import { rateMatches } from './cve-ratings.ts';
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
