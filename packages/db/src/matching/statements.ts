import { areJudgementOf, feedRoles } from '@plimsoll/advisories';
import type {
  AdvisoryKey,
  PackageVersionId,
  Severity,
  SeveritySource,
  SourceNaming,
  Statement,
  StatementFix,
  UnfixedReason,
} from '@plimsoll/model';
import type pg from 'pg';
import type { StoredPackageVersion } from './package-versions.ts';

interface StatementRow {
  readonly owner: number | string;
  readonly id: number;
  readonly advisory_id: number;
  readonly feed_id: string;
  readonly external_id: string;
  readonly kind: 'vulnerability' | 'erratum';
  readonly cves: readonly string[];
  readonly severity: Severity;
  readonly severity_source: SeveritySource;
  readonly fixed_version: string | null;
  readonly fixed_key: Uint8Array | null;
  readonly fixed_service: string | null;
  readonly unfixed_reason: UnfixedReason | null;
  readonly unfixed_detail: string;
  readonly architectures: readonly string[];
  readonly module: string | null;
  readonly line: string | null;
  readonly names: SourceNaming | null;
  readonly withdrawn: boolean;
  readonly known_exploited: boolean;
  readonly first_seen_at: Date;
  /** Only of matches; null if all CVEs are open. */
  readonly open_cves?: readonly string[] | null;
  /** Null if the statement's own severity counts. */
  readonly open_severity?: Severity | null;
  readonly override_from: Uint8Array | null;
  readonly override_before: Uint8Array | null;
  readonly override_reason: string | null;
  readonly override_source: string | null;
}

/** SQL: an erratum can have CVEs that it is not about in this release. */
const isKnownExploited = `(a.known_exploited AND (ap.cves IS NULL
  OR EXISTS (SELECT FROM cves c WHERE c.id = ANY(ap.cves) AND c.exploited_since IS NOT NULL)))`;

const statementColumns = `ap.id, ap.advisory_id, a.feed_id, a.external_id, a.kind, coalesce(ap.cves, a.cves) AS cves, ap.severity, ap.severity_source, ap.fixed_version,
  ap.fixed_key, ap.fixed_service, ap.unfixed_reason, ap.unfixed_detail, ap.architectures, ap.module, ap.line, ap.names,
  a.withdrawn_at IS NOT NULL AS withdrawn, ${isKnownExploited} AS known_exploited, ap.first_seen_at, o.from_key AS override_from,
  o.before_key AS override_before, o.reason AS override_reason, o.source AS override_source`;

const joinOverrides = 'LEFT JOIN feed_overrides o ON o.id = ap.override_id';

/**
 * The stored matches of package versions, by package version id; a version without matches has no entry. If
 * `advisories` is given, only statements of these.
 */
export async function loadMatchedStatements(
  client: pg.Pool | pg.PoolClient,
  ids: readonly PackageVersionId[],
  advisories: readonly AdvisoryKey[] | null = null,
): Promise<ReadonlyMap<PackageVersionId, readonly Statement[]>> {
  const { rows } = await client.query<StatementRow>(
    `SELECT m.package_version_id AS owner, ${statementColumns}, m.open_cves, m.severity AS open_severity
     FROM package_version_advisories m
     JOIN advisory_packages ap ON ap.id = m.advisory_package_id
     JOIN advisories a ON a.id = ap.advisory_id ${joinOverrides}
     WHERE m.package_version_id = ANY($1::int[]) AND ($2::int[] IS NULL OR ap.advisory_id = ANY($2))
     ORDER BY m.package_version_id, ap.id`,
    [ids, advisories],
  );
  return groupByOwner<PackageVersionId>(rows);
}

/** A package of a release by the name that advisories use. `isSource`: statements that name a source rpm. */
export interface PackagePair {
  readonly releaseId: number;
  readonly name: string;
  readonly isSource: boolean;
}

/** The names under which statements about a package version are stored; empty if the version cannot be compared. */
export function pairsOf({
  releaseId,
  matchName,
  sourceName,
}: Pick<StoredPackageVersion, 'releaseId' | 'matchName' | 'sourceName'>): readonly PackagePair[] {
  if (matchName === null) return [];
  const own = { releaseId, name: matchName, isSource: false };
  return sourceName === '' ? [own] : [own, { releaseId, name: sourceName, isSource: true }];
}

/** A key that is unique per pair. */
function pairKey({ releaseId, name, isSource }: PackagePair): string {
  return `${releaseId}/${name}${isSource ? '/source' : ''}`;
}

/** The statements about some package versions. */
export interface StatementsOf {
  about(version: StoredPackageVersion): readonly Statement[];
  /** Each statement once. */
  readonly all: readonly Statement[];
}

/**
 * All statements about package versions, including withdrawn ones. With `narrowOnly`, only those about specific builds
 * or about everything built from a source; with `advisories`, only statements of these.
 */
export async function loadStatementsOf(
  client: pg.Pool | pg.PoolClient,
  versions: readonly StoredPackageVersion[],
  {
    narrowOnly = false,
    advisories = null,
  }: { readonly narrowOnly?: boolean; readonly advisories?: readonly AdvisoryKey[] | null } = {},
): Promise<StatementsOf> {
  const pairs = [...new Map(versions.flatMap(pairsOf).map((pair) => [pairKey(pair), pair])).values()];
  const { rows } = await client.query<StatementRow>(
    `WITH p AS (SELECT * FROM unnest($1::int[], $2::text[], $3::bool[], $4::text[]) AS p (release_id, name, is_source, key))
     SELECT ap.key AS owner, ${statementColumns}
     FROM (SELECT p.key, ap.* FROM p JOIN advisory_packages ap USING (release_id, name)
           WHERE NOT p.is_source AND ap.names IS NULL ${narrowOnly ? "AND ap.builds <> ''" : ''}
           UNION ALL
           SELECT p.key, ap.* FROM p JOIN advisory_packages ap USING (release_id, name)
           WHERE p.is_source AND ap.names IS NOT NULL) ap
     JOIN advisories a ON a.id = ap.advisory_id ${joinOverrides} WHERE $5::int[] IS NULL OR a.id = ANY($5) ORDER BY ap.id`,
    [
      pairs.map(({ releaseId }) => releaseId),
      pairs.map(({ name }) => name),
      pairs.map(({ isSource }) => isSource),
      pairs.map(pairKey),
      advisories,
    ],
  );
  const groups = groupByOwner<string>(rows);
  return {
    about: (version) => pairsOf(version).flatMap((pair) => groups.get(pairKey(pair)) ?? []),
    all: [...groups.values()].flat(),
  };
}

/** From this number of CVEs on, one sequential scan is faster than index lookups. */
export const cvesToScanFor = 500;

/** SQL: excludes records of feeds of unfixed packages only, because these do not list fixed packages. */
const isOfJudge = `a.kind = 'vulnerability' AND a.withdrawn_at IS NULL AND a.feed_id = ANY($2::text[])`;
const recordsFoundByIndex = `SELECT a.id, c.cve FROM unnest($1::text[]) AS c (cve)
  JOIN advisories a ON a.cves @> ARRAY[c.cve] AND ${isOfJudge}`;
const recordsFoundByScan = `SELECT a.id, c.cve FROM advisories a CROSS JOIN LATERAL unnest(a.cves) AS c (cve)
  WHERE ${isOfJudge} AND c.cve = ANY($1::text[])`;

/** The CVEs that a vendor judges in its non-withdrawn vulnerability records; see areJudgementOf. */
export interface JudgedCves {
  has(version: Pick<StoredPackageVersion, 'release' | 'releaseId'>, cve: string): boolean;
}

/** Loads which of the given CVEs the vendor of each release judges. */
export async function loadJudgedCves(
  client: pg.Pool | pg.PoolClient,
  cves: readonly string[],
): Promise<JudgedCves> {
  if (cves.length === 0) return { has: () => false };
  const records = cves.length < cvesToScanFor ? recordsFoundByIndex : recordsFoundByScan;
  const { rows } = await client.query<{
    cve: string;
    family: string;
    releaseIds: readonly number[];
    changedAt: Date | null;
  }>(
    `SELECT j.cve, split_part(r.name, ':', 1) AS family, array_agg(DISTINCT r.id) AS "releaseIds",
            max(a.modified_at) AS "changedAt"
     FROM (${records}) j JOIN advisories a ON a.id = j.id
     JOIN advisory_packages ap ON ap.advisory_id = j.id JOIN releases r ON r.id = ap.release_id
     GROUP BY j.cve, family`,
    [cves, feedRoles.fixFeeds],
  );
  const byCve = new Map(rows.map((row) => [`${row.family} ${row.cve}`, row]));
  return {
    has({ release, releaseId }, cve) {
      const found = byCve.get(`${release.split(':', 1)[0] ?? ''} ${cve}`);
      if (found === undefined) return false;
      const namesRelease = found.releaseIds.includes(releaseId);
      return areJudgementOf(release, { changedAt: found.changedAt, namesRelease });
    },
  };
}

function groupByOwner<Owner extends number | string>(
  rows: readonly StatementRow[],
): ReadonlyMap<Owner, readonly Statement[]> {
  const groups = new Map<Owner, Statement[]>();
  for (const row of rows) {
    const owner = row.owner as Owner; // Each caller selects its own kind of owner.
    const group = groups.get(owner);
    if (group === undefined) groups.set(owner, [toStatement(row)]);
    else group.push(toStatement(row));
  }
  return groups;
}

function toStatement(row: StatementRow): Statement {
  return {
    statementId: row.id,
    advisory: row.advisory_id as AdvisoryKey, // The id of an advisories row.
    externalId: row.external_id,
    kind: row.kind,
    cves: row.cves,
    severity: row.open_severity ?? row.severity,
    severitySource: row.open_severity == null ? row.severity_source : 'cves',
    ...(row.open_cves == null ? {} : { openCves: row.open_cves }),
    fix: fixOf(row),
    ...(feedRoles.leading.includes(row.feed_id) ? { leads: true as const } : {}),
    withdrawn: row.withdrawn,
    builds: { architectures: row.architectures, module: row.module, line: row.line },
    ...(row.names === null ? {} : { names: row.names }),
    knownExploited: row.known_exploited,
    firstSeenAt: row.first_seen_at,
    ...overrideOf(row),
  };
}

/** A row without a fixed version can have a key: that of a pending fix. */
function fixOf(row: StatementRow): StatementFix {
  const { fixed_version: version, fixed_key: key } = row;
  if (version !== null && key !== null) return { kind: 'fixed', version, service: row.fixed_service, key };
  const reason = row.unfixed_reason ?? 'no_fix';
  const pending = key === null ? {} : { pendingKey: key };
  return { kind: 'unfixed', reason, detail: row.unfixed_detail, ...pending };
}

function overrideOf(row: StatementRow): Pick<Statement, 'override'> {
  const { override_reason: reason, override_source: source } = row;
  if (reason === null || source === null) return {};
  return { override: { fromKey: row.override_from, beforeKey: row.override_before, reason, source } };
}
