import type { PackageVersionId } from '@plimsoll/model';
import { type Database, inPgTransaction, type PgTransaction } from '../../core/database.ts';
import { holdAdvisories } from '../../core/locks.ts';
import type { Statements } from '../../core/transaction.ts';
import { asKnownAt } from '../../knowledge/as-known-at.ts';
import { findMatches } from '../../knowledge/find-matches.ts';
import { loadPackageVersions } from '../../knowledge/package-versions.ts';
import { loadMatchedStatements } from '../../knowledge/statements.ts';
import { unmatchedIds } from '../../knowledge/version-arrivals.ts';

/** A contradiction within the stored history, or between it and what the statements of that time give. */
export interface HistoryDifference {
  readonly versionId: PackageVersionId;
  /** The time at which it shows; null for one of the whole interval. */
  readonly at: Date | null;
  /** One sentence for operators. */
  readonly detail: string;
}

/** Package versions per transaction: counting and imports wait no longer than for one of them. */
const versionsPerPiece = 500;

/**
 * Checks the history of matches: intervals do not overlap and have a content of their statement at every time, and
 * matching each version anew with the statements
 * of each time at which one about it changed gives the stored matches of that time. Times before the last change of rules or corrections are only checked for overlaps and contents, because
 * earlier rules are not stored. Reads only; runs beside a live service.
 */
export async function* verifyHistory({ pool }: Database): AsyncGenerator<readonly HistoryDifference[]> {
  let after = 0;
  for (;;) {
    const piece = await inPgTransaction(pool, async (tx) => {
      await holdAdvisories(tx);
      const { rows } = await tx.query<{ id: PackageVersionId }>(
        `SELECT id FROM package_versions WHERE id NOT IN (${unmatchedIds}) AND id > $1 ORDER BY id LIMIT $2`,
        [after, versionsPerPiece],
      );
      const ids = rows.map(({ id }) => id);
      return {
        ids,
        found: [
          ...(await overlaps(tx, ids)),
          ...(await withoutContent(tx, ids)),
          ...(await differences(tx, ids)),
        ],
      };
    });
    if (piece.found.length > 0) yield piece.found;
    const last = piece.ids.at(-1);
    if (last === undefined || piece.ids.length < versionsPerPiece) return;
    after = last;
  }
}

const intervals = `SELECT package_version_id, advisory_package_id, since, until FROM matches_ever
  WHERE package_version_id = ANY($1::int[])`;

async function overlaps(
  tx: PgTransaction,
  ids: readonly PackageVersionId[],
): Promise<readonly HistoryDifference[]> {
  const { rows } = await tx.query<{ versionId: PackageVersionId; statement: number; since: Date }>(
    `SELECT package_version_id AS "versionId", advisory_package_id AS statement, since FROM (
       SELECT *, lag(until) OVER (PARTITION BY package_version_id, advisory_package_id ORDER BY since, until) AS before
       FROM (${intervals}) i) o
     WHERE until <= since OR before > since`,
    [ids],
  );
  return rows.map(({ versionId, statement, since }) => ({
    versionId,
    at: since,
    detail: `The match with statement ${statement} overlaps another one, or ends before it begins.`,
  }));
}

/** Intervals that begin or end outside the contents of their statement. */
async function withoutContent(
  tx: PgTransaction,
  ids: readonly PackageVersionId[],
): Promise<readonly HistoryDifference[]> {
  const { rows } = await tx.query<{ versionId: PackageVersionId; statement: number; since: Date }>(
    `SELECT i.package_version_id AS "versionId", i.advisory_package_id AS statement, i.since FROM (${intervals}) i
     WHERE i.since < i.until AND (
       NOT EXISTS (SELECT FROM statements_ever c WHERE c.id = i.advisory_package_id AND c.since <= i.since AND c.until > i.since)
       OR NOT EXISTS (SELECT FROM statements_ever c WHERE c.id = i.advisory_package_id AND c.since < i.until AND c.until >= i.until))`,
    [ids],
  );
  return rows.map(({ versionId, statement, since }) => ({
    versionId,
    at: since,
    detail: `Statement ${statement} has no content at the beginning or at the end of its match.`,
  }));
}

async function differences(
  tx: PgTransaction,
  ids: readonly PackageVersionId[],
): Promise<readonly HistoryDifference[]> {
  // What was stated before a version was first matched is not part of its history.
  const { rows } = await tx.query<{ at: Date; ids: PackageVersionId[] }>(
    `SELECT c.at, array_agg(DISTINCT v.id) AS ids
     FROM package_versions v
     JOIN (SELECT unnest(ids) AS id, matched_at FROM version_arrivals) m ON m.id = v.id
     JOIN (
       SELECT release_id, name, names, since AS at FROM statements_ever
       UNION SELECT release_id, name, names, until FROM past_statements) c
       ON c.release_id = v.release_id AND c.name = CASE WHEN c.names IS NULL THEN v.match_name ELSE v.source_name END
     WHERE v.id = ANY($1::int[]) AND c.at >= m.matched_at
       AND c.at >= coalesce((SELECT max(at) FROM knowledge_changes WHERE kind <> 'import'), '-infinity')
     GROUP BY c.at ORDER BY c.at`,
    [ids],
  );
  const found: HistoryDifference[] = [];
  for (const { at, ids: changed } of rows)
    found.push(...(await differencesAt(asKnownAt(tx, at, { corrected: true }), at, changed)));
  return found;
}

async function differencesAt(
  then: Statements,
  at: Date,
  ids: readonly PackageVersionId[],
): Promise<readonly HistoryDifference[]> {
  const stored = await loadMatchedStatements(then, ids);
  const matched = await findMatches(then, await loadPackageVersions(then, ids));
  return matched.flatMap(({ id, matches }) => {
    const described = (stored.get(id) ?? []).map(
      ({ statementId, severity, openCves }) => `${statementId} ${severity} ${openCves?.join(' ') ?? ''}`,
    );
    const expected = matches.map(
      ({ statement, severity, openCves }) =>
        `${statement.statementId} ${severity ?? statement.severity} ${openCves?.join(' ') ?? ''}`,
    );
    if (described.sort().join('\n') === expected.sort().join('\n')) return [];
    const detail = `The stored matches are [${described.join('; ')}], the statements give [${expected.join('; ')}].`;
    return [{ versionId: id, at, detail }];
  });
}
