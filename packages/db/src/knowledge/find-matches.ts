import {
  type CveRating,
  cveRatingsIn,
  type KeyScale,
  keyScaleOf,
  matchVersion,
  rateOpenCves,
  versionClassOf,
} from '@plimsoll/advisories';
import { type PackageVersionId, type Severity, type Statement, severities } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { Statements } from '../core/transaction.ts';
import { tablesOf } from './as-known-at.ts';
import { JudgedCveMemory } from './judged-cves.ts';
import type { FreshMatch } from './match-differences.ts';
import type { StoredPackageVersion } from './package-versions.ts';
import { loadStatementsOf, type StatementMemory, type StatementsOf } from './statements.ts';

/** Matches that are kept, and lists without any. A match shares its statement with StatementMemory. */
const mostMatches = 20_000;

/**
 * The matches of classes of package versions: statements judge the versions of a class alike (versionClassOf), so that
 * one of them is judged for all. Use it as long as no advisory changes.
 */
export class MatchClasses {
  private readonly scales = new WeakMap<readonly Statement[], KeyScale | null>();
  private readonly known = new LRUCache<string, readonly FreshMatch[]>({
    maxSize: mostMatches,
    sizeCalculation: (matches) => 1 + matches.length,
  });

  /**
   * The class of a version; null if it has none and is judged by itself.
   * @param about the lists of statements about it; equal lists are the same object.
   */
  classOf(version: StoredPackageVersion, about: readonly (readonly Statement[])[]): string | null {
    const [statements = [], ...more] = about.filter(({ length }) => length > 0);
    if (more.length > 0) return null;
    const scale = this.scaleOf(statements);
    if (scale === null) return null;
    return `${version.releaseId}\0${version.matchName ?? ''}\0${versionClassOf(version, scale)}`;
  }

  /** The matches of a class; undefined if they are not kept. */
  get(key: string): readonly FreshMatch[] | undefined {
    return this.known.get(key);
  }

  /** Keeps the matches of a class. */
  set(key: string, matches: readonly FreshMatch[]): void {
    this.known.set(key, matches);
  }

  private scaleOf(statements: readonly Statement[]): KeyScale | null {
    const known = this.scales.get(statements);
    if (known !== undefined) return known;
    const scale = keyScaleOf(statements);
    this.scales.set(statements, scale);
    return scale;
  }
}

/** The fresh matches of a package version. */
export interface MatchedVersion {
  readonly id: PackageVersionId;
  /** Versions of one class share the list. */
  readonly matches: readonly FreshMatch[];
}

/** The sources of `findMatches`. */
export interface MatchSources {
  readonly statements: Pick<StatementMemory, 'load'>;
  readonly judged: JudgedCveMemory;
  /** Null: each version is judged by itself. Otherwise `statements` is a StatementMemory. */
  readonly classes: MatchClasses | null;
}

/** The matches of package versions under the current rules and statements, in the order of `versions`. */
export async function findMatches(
  tx: Statements,
  versions: readonly StoredPackageVersion[],
  {
    statements: known = { load: loadStatementsOf },
    judged: memory = new JudgedCveMemory(),
    classes = null,
  }: Partial<MatchSources> = {},
): Promise<readonly MatchedVersion[]> {
  const statements = await known.load(tx, versions);
  // A number: no class, the version is judged by itself.
  const keys = versions.map(
    (version, index) => classes?.classOf(version, statements.listsAbout(version)) ?? index,
  );
  const found = new Map<string | number, readonly FreshMatch[]>();
  const toJudge = new Map<string | number, StoredPackageVersion>();
  for (const [index, version] of versions.entries()) {
    const key = keys[index] ?? index;
    const matches = typeof key === 'string' ? classes?.get(key) : undefined;
    if (matches !== undefined) found.set(key, matches);
    else if (!toJudge.has(key)) toJudge.set(key, version);
  }
  const judged = await judgeEach(tx, [...toJudge.values()], statements, memory);
  for (const [place, key] of [...toJudge.keys()].entries()) {
    const matches = judged[place] ?? [];
    found.set(key, matches);
    if (typeof key === 'string') classes?.set(key, matches);
  }
  return versions.map(({ id }, index) => ({ id, matches: found.get(keys[index] ?? index) ?? [] }));
}

/** The matches of each version, judged by itself. */
async function judgeEach(
  tx: Statements,
  versions: readonly StoredPackageVersion[],
  statements: StatementsOf,
  memory: JudgedCveMemory,
): Promise<readonly (readonly FreshMatch[])[]> {
  const errataCves = new Set<string>();
  for (const list of new Set(versions.flatMap((version) => statements.listsAbout(version))))
    for (const { kind, cves } of list) if (kind === 'erratum') for (const cve of cves) errataCves.add(cve);
  const judged = await memory.load(tx, errataCves);
  const found = versions.map((version) => {
    const about = statements.about(version);
    const matched = matchVersion(version, about, (cve) => judged.has(version, cve));
    return { releaseId: version.releaseId, matched, about };
  });
  const rated = await rateMatches(tx, found);
  return rated.map((matched) =>
    matched.map((statement) => ({
      statement,
      openCves: statement.openCves ?? null,
      severity: openSeverity(statement),
    })),
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
  const values: unknown[] = [cves, releaseIds, severities];
  const known = tablesOf(client, values);
  const { rows } = await client.query<{ releaseId: number; cve: string; severity: Severity }>(
    `SELECT DISTINCT ON (wanted.id, c.cve) wanted.id AS "releaseId", c.cve, ap.severity
     FROM unnest($1::text[]) AS c (cve)
     CROSS JOIN LATERAL (SELECT id FROM ${known.advisories} a
       WHERE a.cves @> ARRAY[c.cve] AND ${isCveRecord('a')} AND a.withdrawn_at IS NULL OFFSET 0) a
     CROSS JOIN LATERAL (SELECT release_id, names, severity FROM ${known.statements} ap
       WHERE ap.advisory_id = a.id AND ap.stated_source = 'vendor' OFFSET 0) ap
     JOIN releases r ON r.id = ap.release_id
     JOIN releases wanted ON wanted.id = ANY($2::int[])
       AND split_part(wanted.name, ':', 1) = split_part(r.name, ':', 1)
     ORDER BY wanted.id, c.cve, ap.names IS NOT DISTINCT FROM 'upstream_source', array_position($3::text[], ap.severity)`,
    values,
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
