import type { AdvisoryKey, Builds, Fix, PackageVersionId, Release, Severity } from '@plimsoll/model';
import type pg from 'pg';

/** One advisory's word on one package of one release, as matching needs it. */
export interface Statement {
  /** Number of the advisory_packages row. */
  readonly statementId: number;
  readonly advisory: AdvisoryKey;
  readonly externalId: string;
  readonly kind: 'vulnerability' | 'erratum';
  /** Sorted. */
  readonly cves: readonly string[];
  readonly severity: Severity;
  readonly fix: StatementFix;
  readonly builds: Builds;
  readonly withdrawn: boolean;
  readonly knownExploited: boolean;
  /** When the statement reached us: no finding of it is older. */
  readonly firstSeenAt: Date;
}

/** A fix with the sort key of its version; see @plimsoll/versions. */
export type StatementFix =
  | (Extract<Fix, { kind: 'fixed' }> & { readonly key: Uint8Array })
  | Extract<Fix, { kind: 'unfixed' }>;

/** A distinct package version as it is stored. */
export interface StoredPackageVersion {
  readonly id: PackageVersionId;
  readonly releaseId: number;
  readonly release: Release;
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  readonly vendor: string;
  readonly suite: string;
  readonly module: string;
  readonly matchName: string | null;
  readonly matchKey: Uint8Array | null;
  /** What classifying it found; see @plimsoll/advisories. */
  readonly verdict: unknown;
}

interface StatementRow {
  readonly owner: number | string;
  readonly id: number;
  readonly advisory_id: number;
  readonly external_id: string;
  readonly kind: 'vulnerability' | 'erratum';
  readonly cves: readonly string[];
  readonly severity: Severity;
  readonly fixed_version: string | null;
  readonly fixed_key: Uint8Array | null;
  readonly fixed_service: string | null;
  readonly unfixed_reason: 'no_fix' | 'will_not_fix' | null;
  readonly unfixed_detail: string;
  readonly architectures: readonly string[];
  readonly module: string | null;
  readonly line: string | null;
  readonly withdrawn: boolean;
  readonly known_exploited: boolean;
  readonly first_seen_at: Date;
}

const statementColumns = `ap.id, ap.advisory_id, a.external_id, a.kind, a.cves, ap.severity, ap.fixed_version, ap.fixed_key,
  ap.fixed_service, ap.unfixed_reason, ap.unfixed_detail, ap.architectures, ap.module, ap.line,
  a.withdrawn_at IS NOT NULL AS withdrawn, a.known_exploited, ap.first_seen_at`;

/**
 * The statements that hold for package versions, by package version id; none where a version has none. Those of some
 * advisories alone where `advisories` is given.
 */
export async function loadMatchedStatements(
  client: pg.Pool | pg.PoolClient,
  ids: readonly PackageVersionId[],
  advisories: readonly AdvisoryKey[] | null = null,
): Promise<ReadonlyMap<PackageVersionId, readonly Statement[]>> {
  const { rows } = await client.query<StatementRow>(
    `SELECT m.package_version_id AS owner, ${statementColumns}
     FROM package_version_advisories m
     JOIN advisory_packages ap ON ap.id = m.advisory_package_id
     JOIN advisories a ON a.id = ap.advisory_id
     WHERE m.package_version_id = ANY($1::int[]) AND ($2::int[] IS NULL OR ap.advisory_id = ANY($2))
     ORDER BY m.package_version_id, ap.id`,
    [ids, advisories],
  );
  return groupByOwner<PackageVersionId>(rows);
}

/** A package of a release, as advisories name it. */
export interface PackagePair {
  readonly releaseId: number;
  readonly name: string;
}

/** One key for a pair, unique among pairs. */
export function pairKey({ releaseId, name }: PackagePair): string {
  return `${releaseId}/${name}`;
}

/**
 * Everything advisories say of packages, withdrawn statements included, by `pairKey`; with `narrowOnly` what they say
 * of certain builds.
 */
export async function loadStatementsOf(
  client: pg.Pool | pg.PoolClient,
  pairs: readonly PackagePair[],
  { narrowOnly = false }: { readonly narrowOnly?: boolean } = {},
): Promise<ReadonlyMap<string, readonly Statement[]>> {
  const { rows } = await client.query<StatementRow>(
    `SELECT ap.release_id || '/' || ap.name AS owner, ${statementColumns}
     FROM (SELECT DISTINCT * FROM unnest($1::int[], $2::text[]) AS p (release_id, name)) p
     JOIN advisory_packages ap ON ap.release_id = p.release_id AND ap.name = p.name
     JOIN advisories a ON a.id = ap.advisory_id ${narrowOnly ? "WHERE ap.builds <> ''" : ''} ORDER BY ap.id`,
    [pairs.map(({ releaseId }) => releaseId), pairs.map(({ name }) => name)],
  );
  return groupByOwner<string>(rows);
}

/**
 * Of which CVEs a vulnerability record that was not withdrawn speaks about a release, as `pairKey` of release and CVE. A
 * record that says nothing of a release says nothing about it: records of a release disappear when its support ends.
 */
export async function loadJudgedCves(
  client: pg.Pool | pg.PoolClient,
  cves: readonly string[],
): Promise<ReadonlySet<string>> {
  if (cves.length === 0) return new Set();
  const { rows } = await client.query<{ cve: string; releaseId: number }>(
    `SELECT DISTINCT c.cve, ap.release_id AS "releaseId" FROM unnest($1::text[]) AS c (cve)
     JOIN advisories a ON a.cves @> ARRAY[c.cve] AND a.kind = 'vulnerability' AND a.withdrawn_at IS NULL
     JOIN advisory_packages ap ON ap.advisory_id = a.id`,
    [cves],
  );
  return new Set(rows.map(({ cve, releaseId }) => pairKey({ releaseId, name: cve })));
}

/** Package versions by id. */
export async function loadPackageVersions(
  client: pg.Pool | pg.PoolClient,
  ids: readonly PackageVersionId[],
): Promise<readonly StoredPackageVersion[]> {
  const { rows } = await client.query<StoredPackageVersion>(
    `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
     WHERE v.id = ANY($1::int[]) ORDER BY v.id`,
    [ids],
  );
  return rows;
}

/** The select list that makes rows of `package_versions v` with `releases r` a `StoredPackageVersion`. */
export const packageVersionColumns = `v.id, v.release_id AS "releaseId", r.name AS release, v.name, v.architecture, v.version,
  v.source_name AS "sourceName", v.source_version AS "sourceVersion", v.vendor, v.suite, v.module,
  v.match_name AS "matchName", v.match_key AS "matchKey", v.verdict`;

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
    advisory: row.advisory_id as AdvisoryKey, // Number of an advisories row.
    externalId: row.external_id,
    kind: row.kind,
    cves: row.cves,
    severity: row.severity,
    fix:
      row.fixed_version !== null && row.fixed_key !== null
        ? { kind: 'fixed', version: row.fixed_version, service: row.fixed_service, key: row.fixed_key }
        : { kind: 'unfixed', reason: row.unfixed_reason ?? 'no_fix', detail: row.unfixed_detail },
    withdrawn: row.withdrawn,
    builds: { architectures: row.architectures, module: row.module, line: row.line },
    knownExploited: row.known_exploited,
    firstSeenAt: row.first_seen_at,
  };
}
