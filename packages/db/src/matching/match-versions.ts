import { type CveRating, cveRatingsIn, matchVersion, rateOpenCves } from '@plimsoll/advisories';
import { type PackageVersionId, type Severity, type Statement, severities } from '@plimsoll/model';
import { holdAdvisories, isLockTimeout, waitBriefly } from '../connection/locks.ts';
import type { Statements } from '../connection/transaction.ts';
import { type Database, inPgTransaction, type PgTransaction, preparing } from '../database.ts';
import type { KnowledgeChange } from '../history/knowledge-change.ts';
import type { FreshMatch } from '../history/match-differences.ts';
import { insertMatches, replaceMatches } from '../history/write-match-differences.ts';
import { JudgedCveMemory } from './judged-cves.ts';
import {
  packageVersionColumns,
  queryPackageVersions,
  type StoredPackageVersion,
} from './package-versions.ts';
import { loadStatementsOf, StatementMemory } from './statements.ts';
import { loadUnmatched, lockUnmatched, noteMatched } from './version-arrivals.ts';

/**
 * Matches those of some package versions that were never matched, with others that arrived with them. A version for
 * which this would have to wait for an import stays unmatched; the others do not.
 * @param idsOf loads the ids of the versions; called only if a version of any host was never matched.
 */
export async function matchNewVersions(
  { pool }: Database,
  idsOf: () => Promise<readonly PackageVersionId[]>,
  memory = new MatchMemory(),
): Promise<void> {
  // First without a lock, because most uploads contain no new version.
  const unmatched = await loadUnmatched(pool);
  if (unmatched.length === 0) return;
  const wanted = new Set(await idsOf());
  const numbers = unmatched.filter((arrival) => arrival.ids.some((id) => wanted.has(id))).map(({ n }) => n);
  if (numbers.length === 0) return;
  try {
    await inPgTransaction(pool, (tx) => matchArrivals(preparing(tx), numbers, memory));
  } catch (error) {
    // The scheduler rings again for the uploads.
    if (!isLockTimeout(error)) throw error;
  }
}

/** Matches all versions of arrivals: the uploads that brought the others follow soon. */
async function matchArrivals(
  tx: PgTransaction,
  numbers: readonly string[],
  memory: MatchMemory,
): Promise<void> {
  await holdAdvisories(tx);
  const arrivals = await lockUnmatched(tx, numbers);
  // A condemned version may be deleted meanwhile; it is matched when an upload has it again.
  const rows = await queryPackageVersions(
    tx,
    `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
     WHERE v.id = ANY($1::int[]) AND NOT v.condemned ORDER BY v.id`,
    [arrivals.flatMap(({ ids }) => ids)],
  );
  await waitBriefly(tx);
  const all = await findMatches(tx, rows, await memory.current(tx));
  const since = await holdStatements(tx, all);
  const found = all.filter(({ matches }) =>
    matches.every(({ statement }) => since.has(statement.statementId)),
  );
  await storeFirstMatches(tx, found, since);
  const matched = new Set(found.map(({ id }) => id));
  await noteMatched(tx, arrivals, (id) => matched.has(id));
}

/** The fresh matches of a package version. */
interface MatchedVersion {
  readonly id: PackageVersionId;
  readonly matches: readonly FreshMatch[];
}

/** The sources of `findMatches`. */
interface MatchSources {
  readonly statements: Pick<StatementMemory, 'load'>;
  readonly judged: JudgedCveMemory;
}

/** What matching reads of advisories, kept between transactions until advisories change. One for each process. */
export class MatchMemory {
  private known: MatchSources | null = null;
  /** The newest change of knowledge that `known` follows; null: there is none. */
  private seen: number | null = null;

  /** Forgets everything if advisories changed. The caller holds the lock of holdAdvisories until it has used the sources. */
  async current(tx: PgTransaction): Promise<MatchSources> {
    // Every transaction that changes advisories, rules or corrections adds a row, and ids only grow.
    const { rows } = await tx.query<{ newest: number | null }>(
      'SELECT max(id) AS newest FROM knowledge_changes',
      [],
    );
    const newest = rows[0]?.newest ?? null;
    if (this.known === null || newest !== this.seen) {
      this.known = { statements: new StatementMemory(), judged: new JudgedCveMemory() };
      this.seen = newest;
    }
    return this.known;
  }
}

/**
 * Keeps the statements of matches, and returns since when each is known. Without those that an import has deleted; it
 * waits for this transaction.
 */
async function holdStatements(
  tx: PgTransaction,
  found: readonly MatchedVersion[],
): Promise<ReadonlyMap<number, Date>> {
  const wanted = new Set(
    found.flatMap(({ matches }) => matches.map(({ statement }) => statement.statementId)),
  );
  if (wanted.size === 0) return new Map();
  const { rows } = await tx.query<{ id: number; since: Date }>(
    `SELECT id, first_seen_at AS since FROM advisory_packages WHERE id = ANY($1::int[])
     FOR KEY SHARE SKIP LOCKED`,
    [[...wanted]],
  );
  return new Map(rows.map(({ id, since }) => [id, since]));
}

/**
 * Matches package versions again, under the current rules and statements, and stores what changed as part of a change
 * of knowledge.
 */
export async function rematchVersions(
  tx: PgTransaction,
  versions: readonly StoredPackageVersion[],
  change: KnowledgeChange,
  judged = new JudgedCveMemory(),
): Promise<void> {
  await replaceMatches(tx, change, await findMatches(tx, versions, { judged }));
}

/** Stores the matches of versions that were never matched: known since their statements were imported. */
async function storeFirstMatches(
  tx: PgTransaction,
  found: readonly MatchedVersion[],
  knownSince: ReadonlyMap<number, Date>,
): Promise<void> {
  await insertMatches(
    tx,
    found.flatMap(({ id, matches }) =>
      matches.map((match) => {
        const since = knownSince.get(match.statement.statementId) ?? match.statement.firstSeenAt;
        return { ...match, versionId: id, since, knownAt: since, cause: 'advisory_published' as const };
      }),
    ),
    { areFirst: true },
  );
}

/** The matches of package versions under the current rules and statements, in the order of `versions`. */
export async function findMatches(
  tx: Statements,
  versions: readonly StoredPackageVersion[],
  {
    statements: known = { load: loadStatementsOf },
    judged: memory = new JudgedCveMemory(),
  }: Partial<MatchSources> = {},
): Promise<readonly MatchedVersion[]> {
  const statements = await known.load(tx, versions);
  const errataCves = new Set<string>();
  for (const { kind, cves } of statements.all) {
    if (kind === 'erratum') for (const cve of cves) errataCves.add(cve);
  }
  const judged = await memory.load(tx, errataCves);
  const found = versions.map((version) => {
    const about = statements.about(version);
    const { id, releaseId } = version;
    const matched = matchVersion(version, about, (cve) => judged.has(version, cve));
    return { id, releaseId, matched, about };
  });
  const rated = await rateMatches(tx, found);
  return found.map(({ id }, index) => ({
    id,
    matches: (rated[index] ?? []).map((statement) => ({
      statement,
      openCves: statement.openCves ?? null,
      severity: openSeverity(statement),
    })),
  }));
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
  client: Statements,
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
  client: Statements,
  cves: readonly string[],
  releaseIds: readonly number[],
): Promise<ReadonlyMap<string, Severity>> {
  const { rows } = await client.query<{ releaseId: number; cve: string; severity: Severity }>(
    `SELECT DISTINCT ON (wanted.id, c.cve) wanted.id AS "releaseId", c.cve, ap.severity
     FROM unnest($1::text[]) AS c (cve)
     CROSS JOIN LATERAL (SELECT id FROM advisories a
       WHERE a.cves @> ARRAY[c.cve] AND ${isCveRecord('a')} AND a.withdrawn_at IS NULL OFFSET 0) a
     CROSS JOIN LATERAL (SELECT release_id, names, severity FROM advisory_packages ap
       WHERE ap.advisory_id = a.id AND ap.stated_source = 'vendor' OFFSET 0) ap
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
