import type { AdvisoryKey, MatchCause, PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../core/database.ts';
import { rowTable } from '../core/row-table.ts';
import type { KnowledgeChange } from './knowledge-change.ts';
import { isKnownExploited } from './known-exploited.ts';
import {
  type FreshMatch,
  type MatchDifferences,
  matchDifferences,
  type StatementCause,
  type StoredMatch,
} from './match-differences.ts';
import { saysTheSame } from './past-statements.ts';

/** The stored matches of package versions, by version. */
export type MatchesByVersion = ReadonlyMap<PackageVersionId, readonly StoredMatch[]>;

/**
 * SQL: the content that a row had before its present one. Found by its id: how many rows a change has just added is in no
 * statistics, and by the time of the change PostgreSQL would read all of these for each match.
 */
const newestPast = (table: string, of: string) =>
  `SELECT p.id, p.until, p.cves FROM ${table} p WHERE p.id = ${of}.id ORDER BY p.until DESC LIMIT 1`;

/**
 * SQL: the columns of a stored match. The content of its statement is that before the change that takes effect at the
 * parameter `at`, because the new content is stored before versions are matched.
 */
const matchColumns = (
  at: string,
) => `m.package_version_id AS "versionId", ap.id AS "statementId", ap.advisory_id AS advisory,
  m.open_cves AS "openCves", m.severity, coalesce(m.open_cves, before.cves) AS cves,
  CASE WHEN before.is_changed THEN EXISTS (SELECT FROM cves c WHERE c.id = ANY(before.cves) AND c.exploited_since IS NOT NULL)
       ELSE ${isKnownExploited} END AS "knownExploited",
  m.since, m.since_cause AS "sinceCause", m.known_at AS "knownAt"
  FROM package_version_advisories m JOIN advisory_packages ap ON ap.id = m.advisory_package_id
  JOIN advisories a ON a.id = ap.advisory_id
  LEFT JOIN LATERAL (${newestPast('past_statements', 'ap')}) ps ON ps.until = ${at}
  LEFT JOIN LATERAL (${newestPast('past_advisories', 'a')}) pa ON pa.until = ${at}
  CROSS JOIN LATERAL (
    SELECT ps.id IS NOT NULL OR pa.id IS NOT NULL AS is_changed,
           coalesce(CASE WHEN ps.id IS NULL THEN ap.cves ELSE ps.cves END, CASE WHEN pa.id IS NULL THEN a.cves ELSE pa.cves END) AS cves) before`;

/** Creates this connection's table of the matches that the deletion of their statements deletes, or empties it. */
export async function createDeletedMatches(tx: PgTransaction): Promise<void> {
  await tx.query(`
    CREATE TEMP TABLE IF NOT EXISTS deleted_matches (
      version_id int, statement_id int, advisory int, open_cves text[], severity text, cves text[], known_exploited bool,
      since timestamptz, since_cause text, known_at timestamptz);
    TRUNCATE deleted_matches`);
}

/** Notes the matches of statements that a change is about to delete. @param ids of `advisory_packages`. */
export async function noteDeletedMatches(tx: PgTransaction, at: Date, ids: readonly number[]): Promise<void> {
  await tx.query(
    `INSERT INTO deleted_matches SELECT ${matchColumns('$2')} WHERE m.advisory_package_id = ANY($1::int[])`,
    [ids, at],
  );
}

/** Matches of package versions as they were before a change, with those that it noted as deleted. */
async function loadStoredMatches(
  tx: PgTransaction,
  versions: readonly PackageVersionId[],
  { kind, at }: KnowledgeChange,
): Promise<MatchesByVersion> {
  const deleted = `UNION ALL SELECT version_id, statement_id, advisory, open_cves, severity, cves, known_exploited, since,
    since_cause, known_at FROM deleted_matches WHERE version_id = ANY($1::int[])`;
  const { rows } = await tx.query<StoredMatch & { readonly versionId: PackageVersionId }>(
    `SELECT ${matchColumns('$2')} WHERE m.package_version_id = ANY($1::int[]) ${kind === 'import' ? deleted : ''}`,
    [versions, at],
  );
  const byVersion = new Map<PackageVersionId, StoredMatch[]>();
  for (const { versionId, ...match } of rows) {
    const group = byVersion.get(versionId);
    if (group === undefined) byVersion.set(versionId, [match]);
    else group.push(match);
  }
  return byVersion;
}

/**
 * Stores the fresh matches of package versions that had others: writes the differences only, keeps what ends as past,
 * and notes in the change's ledger which advisories opened and closed.
 */
export async function replaceMatches(
  tx: PgTransaction,
  change: KnowledgeChange,
  versions: readonly { readonly id: PackageVersionId; readonly matches: readonly FreshMatch[] }[],
): Promise<void> {
  const stored = await loadStoredMatches(
    tx,
    versions.map(({ id }) => id),
    change,
  );
  const touched = versions.filter(({ id, matches }) => matches.length > 0 || stored.has(id));
  const causeOf = await loadCauses(tx, change, touched, stored);
  const all = { begun: [], altered: [], ended: [] } as {
    -readonly [Key in keyof MatchDifferences]: MatchDifferences[Key][number][];
  };
  for (const { id, matches } of touched) {
    const before = stored.get(id) ?? [];
    const found = matchDifferences({ versionId: id, at: change.at }, before, matches, causeOf);
    all.begun.push(...found.begun);
    all.altered.push(...found.altered);
    all.ended.push(...found.ended);
    noteInLedger(change, before, found);
    noteExploited(change, { id, before, after: matches }, causeOf);
  }
  await writeEnded(tx, change.at, all);
  await writeBegun(tx, change.at, all);
}

/** An advisory opens with its first match on a version and closes with the last one. */
function noteInLedger(
  { ledger }: KnowledgeChange,
  before: readonly StoredMatch[],
  { begun, ended, altered }: MatchDifferences,
): void {
  const had = new Set(before.map(({ advisory }) => advisory));
  const changed = new Set(altered.map(({ statement }) => statement.statementId));
  const gone = ended.filter(({ statementId }) => !changed.has(statementId));
  const goneIds = new Set(gone.map(({ statementId }) => statementId));
  const left = new Set([
    ...before.filter(({ statementId }) => !goneIds.has(statementId)).map(({ advisory }) => advisory),
    ...begun.map(({ statement }) => statement.advisory),
  ]);
  for (const { versionId, statement, cause } of begun)
    if (!had.has(statement.advisory))
      ledger.note({ advisory: statement.advisory, event: 'opened', cause }, versionId);
  for (const { versionId, advisory, untilCause } of gone)
    if (!left.has(advisory)) ledger.note({ advisory, event: 'closed', cause: untilCause }, versionId);
}

/** Notes matches that go on while their record names other CVEs, of which one, or none any more, is exploited. */
function noteExploited(
  { ledger }: KnowledgeChange,
  version: {
    readonly id: PackageVersionId;
    readonly before: readonly StoredMatch[];
    readonly after: readonly FreshMatch[];
  },
  causeOf: StatementCause,
): void {
  const known = new Map(
    version.before.map(({ statementId, knownExploited }) => [statementId, knownExploited]),
  );
  for (const { statement } of version.after) {
    const { statementId, advisory, knownExploited } = statement;
    if ((known.get(statementId) ?? knownExploited) === knownExploited) continue;
    const event = knownExploited ? 'exploited' : 'no_longer_exploited';
    ledger.note({ advisory, event, cause: causeOf(statementId) }, version.id);
  }
}

/** How statements came to count, or not to count, in a change. */
async function loadCauses(
  tx: PgTransaction,
  { kind, at }: KnowledgeChange,
  versions: readonly { readonly id: PackageVersionId; readonly matches: readonly FreshMatch[] }[],
  stored: MatchesByVersion,
): Promise<StatementCause> {
  if (kind !== 'import') return () => 'rules_changed';
  const advisories = new Map<number, AdvisoryKey>();
  for (const { id, matches } of versions) {
    for (const { statement } of matches) advisories.set(statement.statementId, statement.advisory);
    for (const { statementId, advisory } of stored.get(id) ?? []) advisories.set(statementId, advisory);
  }
  // A statement that is no longer stored was removed with its record, or by a change of it.
  const { rows } = await tx.query<{ id: number; cause: MatchCause }>(
    `SELECT s.id, CASE WHEN a.id IS NULL OR a.withdrawn_at IS NOT NULL AND a.since = $3 THEN 'advisory_withdrawn'
                       WHEN a.since = $3 AND NOT EXISTS (SELECT FROM past_advisories p WHERE p.id = a.id)
                         THEN 'advisory_published'
                       WHEN ap.id IS NULL OR a.since = $3 OR ap.since = $3 AND NOT coalesce((
                         -- Only its severity changed, which is derived from other records.
                         SELECT p.until = $3 AND ${saysTheSame('p', 'ap')} FROM past_statements p WHERE p.id = ap.id
                         ORDER BY p.until DESC LIMIT 1), false)
                         THEN 'advisory_changed'
                       ELSE 'source_changed' END AS cause
     FROM unnest($1::int[], $2::int[]) AS s (id, advisory_id)
     LEFT JOIN advisory_packages ap ON ap.id = s.id LEFT JOIN advisories a ON a.id = s.advisory_id`,
    [[...advisories.keys()], [...advisories.values()], at],
  );
  const causes = new Map(rows.map(({ id, cause }) => [id, cause]));
  return (statementId) => {
    const cause = causes.get(statementId);
    if (cause === undefined) throw new Error(`no cause is known for statement ${statementId}`);
    return cause;
  };
}

async function writeEnded(tx: PgTransaction, at: Date, { ended, altered }: MatchDifferences): Promise<void> {
  if (ended.length === 0) return;
  const { table, values } = rowTable(
    `version_id int, statement_id int, since timestamptz, since_cause text, until_cause text, known_at timestamptz,
     open_cves text[]?, severity text?`,
    ended.filter(({ since }) => since < at),
    2,
  );
  await tx.query(
    `INSERT INTO past_matches (package_version_id, advisory_package_id, since, until, since_cause, until_cause, known_at,
       open_cves, severity)
     SELECT version_id, statement_id, since, $1, since_cause, until_cause, known_at, open_cves, severity FROM ${table} n`,
    [at, ...values],
  );
  const goesOn = new Set(altered.map(({ versionId, statement }) => `${versionId} ${statement.statementId}`));
  const gone = ended.filter(({ versionId, statementId }) => !goesOn.has(`${versionId} ${statementId}`));
  await tx.query(
    `DELETE FROM package_version_advisories m USING unnest($1::int[], $2::int[]) AS n (version_id, statement_id)
     WHERE m.package_version_id = n.version_id AND m.advisory_package_id = n.statement_id`,
    [gone.map(({ versionId }) => versionId), gone.map(({ statementId }) => statementId)],
  );
}

async function writeBegun(tx: PgTransaction, at: Date, { begun, altered }: MatchDifferences): Promise<void> {
  const matches = [...begun, ...altered];
  await insertMatches(
    tx,
    matches.map((match) => ({ ...match, since: at })),
  );
}

/** A match with the time span in which it counts. */
interface MatchToInsert extends FreshMatch {
  readonly versionId: PackageVersionId;
  readonly since: Date;
  readonly cause: MatchCause;
  readonly knownAt: Date;
}

const replaceForm = `ON CONFLICT (package_version_id, advisory_package_id) DO UPDATE SET open_cves = excluded.open_cves,
  severity = excluded.severity, since = excluded.since, since_cause = excluded.since_cause`;

/** Stores matches, and new forms of stored ones. */
async function insertMatches(tx: PgTransaction, matches: readonly MatchToInsert[]): Promise<void> {
  if (matches.length === 0) return;
  const { table, values } = rowTable(
    `version_id int, statement_id int, open_cves text[]?, severity text?, since timestamptz, cause text, known_at timestamptz`,
    matches.map((match) => ({ statementId: match.statement.statementId, ...match })),
  );
  await tx.query(
    `INSERT INTO package_version_advisories (package_version_id, advisory_package_id, open_cves, severity, since,
       since_cause, known_at)
     SELECT * FROM ${table} n ${replaceForm}`,
    values,
  );
}

/**
 * Stores the matches of versions that have none yet, each known since its statement became known. Versions with the same
 * list of matches are sent with its number, and each list once.
 */
export async function insertFirstMatches(
  tx: PgTransaction,
  versions: readonly { readonly id: PackageVersionId; readonly matches: readonly FreshMatch[] }[],
  knownSince: ReadonlyMap<number, Date>,
): Promise<void> {
  const matched = versions.filter(({ matches }) => matches.length > 0);
  const lists = [...new Set(matched.map(({ matches }) => matches))];
  if (lists.length === 0) return;
  const numbers = new Map(lists.map((list, n) => [list, n]));
  const owners = rowTable(
    'id int, list int',
    matched.map(({ id, matches }) => ({ id, list: numbers.get(matches) ?? 0 })),
  );
  const entries = rowTable(
    'list int, statement_id int, open_cves text[]?, severity text?, since timestamptz',
    lists.flatMap((matches, list) =>
      matches.map((match) => {
        const { statementId, firstSeenAt } = match.statement;
        return { list, statementId, since: knownSince.get(statementId) ?? firstSeenAt, ...match };
      }),
    ),
    3,
  );
  await tx.query(
    `INSERT INTO package_version_advisories (package_version_id, advisory_package_id, open_cves, severity, since,
       since_cause, known_at)
     SELECT v.id, m.statement_id, m.open_cves, m.severity, m.since, 'advisory_published', m.since
     FROM ${owners.table} v JOIN ${entries.table} m ON m.list = v.list ORDER BY v.id, m.statement_id`,
    [...owners.values, ...entries.values],
  );
}
