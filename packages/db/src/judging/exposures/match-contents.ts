import { groupBy, type PackageVersionId, type Severity, type SourceNaming } from '@plimsoll/model';
import { rowTable } from '../../core/row-table.ts';
import type { Statements } from '../../core/transaction.ts';
import type { MatchSpan } from '../../knowledge/known-versions.ts';
import { contentBefore, endsOfContents } from './past-contents.ts';

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
  /** Whether these are only some of those of the statement. */
  readonly isNarrowed: boolean;
  readonly publishedAt: Date | null;
  /** Null: there was no fix. */
  readonly fixedVersion: string | null;
  readonly fixedKey: Uint8Array | null;
  readonly fixedService: string | null;
  /** Null: it names the packages of the release. */
  readonly names: SourceNaming | null;
}

const statement = 'id, advisory_id, severity, cves, fixed_version, fixed_key, fixed_service, names';
const advisory = 'id, external_id, cves, published_at';

const columns = `m.package_version_id AS "versionId", ap.advisory_id AS advisory, m.known_at AS "knownAt",
  m.advisory_package_id AS "statementId", a.external_id AS "externalId", coalesce(m.severity, ap.severity) AS severity,
  coalesce(m.open_cves, ap.cves, a.cves) AS cves, m.open_cves IS NOT NULL AS "isNarrowed", a.published_at AS "publishedAt",
  ap.fixed_version AS "fixedVersion", ap.fixed_key AS "fixedKey", ap.fixed_service AS "fixedService", ap.names`;

/** SQL: joins to matches `m` what was said just before a time. */
const saidBefore = (until: string) =>
  `CROSS JOIN LATERAL ${contentBefore('statements_ever', statement, { id: 'm.advisory_package_id', until })} ap
   CROSS JOIN LATERAL ${contentBefore('advisories_ever', advisory, { id: 'ap.advisory_id', until })} a`;

/** Identifies a match: the same statement can affect a version again later. */
export type BegunMatch = Pick<MatchContent, 'versionId' | 'statementId' | 'since'>;

/** SQL: the content of a row of a view that was in force at the start of a match `m`. */
function contentAtStart(view: 'advisories_ever' | 'statements_ever', columns: string, id: string): string {
  return `(SELECT ${columns} FROM ${view} WHERE id = ${id} AND since <= m.since AND until > m.since LIMIT 1)`;
}

/** The CVEs that were open on the version when each match began, in the order of the matches; none if the match is gone. */
export async function loadBegunCves(
  client: Statements,
  matches: readonly BegunMatch[],
): Promise<readonly (readonly string[])[]> {
  const isWanted =
    'package_version_id = w.version_id AND advisory_package_id = w.statement_id AND since = w.since';
  const { table, values } = rowTable(
    'n int, version_id int, statement_id int, since timestamptz',
    matches.map((match, n) => ({ n, ...match })),
  );
  const { rows } = await client.query<{ n: number; cves: readonly string[] }>(
    `SELECT w.n, coalesce(m.open_cves, ap.cves, a.cves) AS cves FROM ${table} w
     CROSS JOIN LATERAL (
       SELECT advisory_package_id, since, open_cves FROM matches_ever WHERE ${isWanted} LIMIT 1) m
     CROSS JOIN LATERAL ${contentAtStart('statements_ever', 'advisory_id, cves', 'm.advisory_package_id')} ap
     CROSS JOIN LATERAL ${contentAtStart('advisories_ever', 'cves', 'ap.advisory_id')} a`,
    values,
  );
  const found = new Map(rows.map(({ n, cves }) => [n, cves]));
  return matches.map((_, n) => found.get(n) ?? []);
}

/** Past and current matches of package versions, in no order. */
export async function loadMatchContents(
  client: Statements,
  versions: readonly PackageVersionId[],
): Promise<readonly MatchContent[]> {
  const wanted = 'm.package_version_id = ANY($1::int[])';
  const { rows } = await client.query<MatchContent>(
    `SELECT ${columns}, m.since, m.since_cause AS "sinceCause", NULL::timestamptz AS until, NULL AS "untilCause"
     FROM package_version_advisories m JOIN advisory_packages ap ON ap.id = m.advisory_package_id
     JOIN advisories a ON a.id = ap.advisory_id WHERE ${wanted}
     UNION ALL
     SELECT ${columns}, m.since, m.since_cause, m.until, m.until_cause FROM past_matches m ${saidBefore('m.until')}
     WHERE ${wanted}`,
    [versions],
  );
  return rows;
}

/** A part of a match, with what was said at its end. */
interface MatchPart extends MatchContent {
  /** The start of its match. */
  readonly matchSince: Date;
}

/**
 * Past and current matches while a CVE was open on the version, in no order. Where the record began or ceased to name it, what is
 * answered begins or ends as changed, with what the record said last while it named it. Of the time before the start of the
 * history the oldest kept content counts.
 */
export async function loadMatchesNaming(client: Statements, cve: string): Promise<readonly MatchContent[]> {
  const { rows } = await client.query<MatchPart>(
    `WITH named AS MATERIALIZED (
       SELECT DISTINCT id FROM advisories_ever WHERE cves @> ARRAY[$1]),
     stated AS MATERIALIZED (
       SELECT s.* FROM named n CROSS JOIN LATERAL (
         SELECT DISTINCT id, advisory_id FROM statements_ever WHERE advisory_id = n.id OFFSET 0) s),
     ends AS MATERIALIZED (SELECT id, array_agg(until) AS times FROM (${endsOfContents('stated')}) e GROUP BY id),
     matches AS MATERIALIZED (
       SELECT m.* FROM stated s CROSS JOIN LATERAL (
         SELECT * FROM matches_ever WHERE advisory_package_id = s.id OFFSET 0) m),
     parts AS (
       SELECT m.*, part.until AS part_until,
         lag(part.until) OVER (PARTITION BY m.package_version_id, m.advisory_package_id, m.since ORDER BY part.until) AS part_since
       FROM matches m LEFT JOIN ends e ON e.id = m.advisory_package_id CROSS JOIN LATERAL (
         SELECT at AS until FROM unnest(e.times) AS at WHERE at > m.since AND at < m.until UNION ALL SELECT m.until) part)
     SELECT ${columns}, coalesce(m.part_since, m.since) AS since, m.since AS "matchSince",
       CASE WHEN m.part_since IS NULL THEN m.since_cause ELSE 'advisory_changed' END AS "sinceCause",
       nullif(m.part_until, 'infinity') AS until,
       CASE WHEN m.part_until = m.until THEN m.until_cause ELSE 'advisory_changed' END AS "untilCause"
     FROM parts m ${saidBefore('m.part_until')}
     ORDER BY since`,
    [cve],
  );
  return [...groupBy(rows, ({ versionId }) => versionId).values()].flatMap((parts) => naming(parts, cve));
}

/**
 * Of one version, what names a CVE: parts of one match that follow each other as one. A match that begins to name it is known as
 * long as others that name it up to then.
 * @param parts in the order of their starts.
 */
function naming(parts: readonly MatchPart[], cve: string): readonly MatchContent[] {
  const found: MatchPart[] = [];
  /** By statement: its part before, and the place of that in what was found; null: it does not name the CVE. */
  const before = new Map<number, { readonly until: Date | null; readonly place: number | null }>();
  for (const part of parts) {
    const { statementId, since, until } = part;
    const last = before.get(statementId);
    const isNext = last?.until?.getTime() === since.getTime();
    if (!part.cves.includes(cve)) {
      before.set(statementId, { until, place: null });
      continue;
    }
    const earlier = isNext && last.place !== null ? found[last.place] : undefined;
    const isOneMatch = earlier?.matchSince.getTime() === part.matchSince.getTime();
    const place = isOneMatch && last?.place != null ? last.place : found.length;
    before.set(statementId, { until, place });
    const knownAt = earlier?.knownAt ?? (isNext ? knownUpTo(since, found) : part.knownAt);
    found[place] = isOneMatch
      ? { ...part, knownAt, since: earlier.since, sinceCause: earlier.sinceCause }
      : { ...part, knownAt };
  }
  return found;
}

/** Since when what is known up to a time is known; that time if nothing is. */
function knownUpTo(time: Date, parts: readonly MatchContent[]): Date {
  const known = parts.filter(({ since, until }) => since < time && (until === null || until >= time));
  return new Date(Math.min(time.getTime(), ...known.map(({ knownAt }) => knownAt.getTime())));
}
