import type { AdvisoryKey, MatchCause, PackageVersionId, Severity, SourceNaming } from '@plimsoll/model';
import type { Statements } from '../connection/transaction.ts';
import type { MatchSpan } from '../history/exposure-walk.ts';

/** A time span in which an advisory was known to affect a version, with what it said at the end of the span. */
export interface MatchContent extends MatchSpan {
  readonly versionId: PackageVersionId;
  /** The id that its vendor gives it. */
  readonly externalId: string;
  /** Of the statement. */
  readonly statementId: number;
  readonly severity: Severity;
  /** The CVEs that are open on the version. */
  readonly cves: readonly string[];
  readonly publishedAt: Date | null;
  /** Null: there was no fix. */
  readonly fixedVersion: string | null;
  readonly fixedKey: Uint8Array | null;
  readonly fixedService: string | null;
  /** Null: it names the packages of the release. */
  readonly names: SourceNaming | null;
}

interface ContentRow extends MatchContent {
  readonly versionId: PackageVersionId;
  readonly advisory: AdvisoryKey;
  readonly sinceCause: MatchCause;
}

const statement = 'id, advisory_id, severity, cves, fixed_version, fixed_key, fixed_service, names';
const advisory = 'id, external_id, cves, published_at';

const columns = `m.package_version_id AS "versionId", ap.advisory_id AS advisory, m.since, m.since_cause AS "sinceCause",
  m.known_at AS "knownAt", m.advisory_package_id AS "statementId", a.external_id AS "externalId", coalesce(m.severity, ap.severity) AS severity,
  coalesce(m.open_cves, ap.cves, a.cves) AS cves, a.published_at AS "publishedAt", ap.fixed_version AS "fixedVersion",
  ap.fixed_key AS "fixedKey", ap.fixed_service AS "fixedService", ap.names`;

/** SQL: the content that was in force just before the end of a past match. */
function contentBefore(table: string, past: string, list: string, id: string): string {
  return `(SELECT ${list} FROM ${table} WHERE id = ${id} AND since < m.until
           UNION ALL
           SELECT ${list} FROM ${past} WHERE id = ${id} AND since < m.until AND until >= m.until LIMIT 1)`;
}

/** Identifies a match: the same statement can affect a version again later. */
export type BegunMatch = Pick<MatchContent, 'versionId' | 'statementId' | 'since'>;

/** SQL: the content that was in force at the start of a match. */
function contentAtStart(table: string, past: string, list: string, id: string): string {
  return `(SELECT ${list} FROM ${table} WHERE id = ${id} AND since <= m.since
           UNION ALL
           SELECT ${list} FROM ${past} WHERE id = ${id} AND since <= m.since AND until > m.since LIMIT 1)`;
}

/** The CVEs that were open on the version when each match began, in the order of the matches; none if the match is gone. */
export async function loadBegunCves(
  client: Statements,
  matches: readonly BegunMatch[],
): Promise<readonly (readonly string[])[]> {
  const isWanted =
    'package_version_id = w.version_id AND advisory_package_id = w.statement_id AND since = w.since';
  const { rows } = await client.query<{ n: number; cves: readonly string[] }>(
    `SELECT w.n::int AS n, coalesce(m.open_cves, ap.cves, a.cves) AS cves
     FROM unnest($1::int[], $2::int[], $3::timestamptz[]) WITH ORDINALITY AS w (version_id, statement_id, since, n)
     CROSS JOIN LATERAL (
       SELECT advisory_package_id, since, open_cves FROM package_version_advisories WHERE ${isWanted}
       UNION ALL SELECT advisory_package_id, since, open_cves FROM past_matches WHERE ${isWanted} LIMIT 1) m
     CROSS JOIN LATERAL ${contentAtStart('advisory_packages', 'past_statements', 'advisory_id, cves', 'm.advisory_package_id')} ap
     CROSS JOIN LATERAL ${contentAtStart('advisories', 'past_advisories', 'cves', 'ap.advisory_id')} a`,
    [
      matches.map(({ versionId }) => versionId),
      matches.map(({ statementId }) => statementId),
      matches.map(({ since }) => since),
    ],
  );
  const found = new Map(rows.map(({ n, cves }) => [n, cves]));
  return matches.map((_, index) => found.get(index + 1) ?? []);
}

/** Which matches to load: those of package versions, or those with advisories. */
export type WantedMatches =
  | { readonly versions: readonly PackageVersionId[] }
  | { readonly advisories: readonly AdvisoryKey[] };

/** Past and current matches, in no order. */
export async function loadMatchContents(
  client: Statements,
  wanted: WantedMatches,
): Promise<readonly MatchContent[]> {
  const isOfVersions = 'versions' in wanted;
  const current = isOfVersions ? 'm.package_version_id = ANY($1::int[])' : 'ap.advisory_id = ANY($1::int[])';
  const past = isOfVersions
    ? current
    : `m.advisory_package_id IN (SELECT id FROM advisory_packages WHERE advisory_id = ANY($1::int[])
         UNION SELECT id FROM past_statements WHERE advisory_id = ANY($1::int[]))`;
  const { rows } = await client.query<ContentRow>(
    `SELECT ${columns}, NULL::timestamptz AS until, NULL AS "untilCause"
     FROM package_version_advisories m JOIN advisory_packages ap ON ap.id = m.advisory_package_id
     JOIN advisories a ON a.id = ap.advisory_id WHERE ${current}
     UNION ALL
     SELECT ${columns}, m.until, m.until_cause FROM past_matches m
     CROSS JOIN LATERAL ${contentBefore('advisory_packages', 'past_statements', statement, 'm.advisory_package_id')} ap
     CROSS JOIN LATERAL ${contentBefore('advisories', 'past_advisories', advisory, 'ap.advisory_id')} a
     WHERE ${past}`,
    [isOfVersions ? wanted.versions : wanted.advisories],
  );
  return rows;
}
