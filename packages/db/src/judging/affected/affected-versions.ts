import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';

/** A package version that an advisory affects. */
export interface AffectedVersion {
  /** The advisory in the question. */
  readonly asked: AdvisoryKey;
  readonly id: PackageVersionId;
  readonly releaseId: number;
  /** The version is a kernel: it is a finding only on hosts where it is the judged kernel. */
  readonly isKernel: boolean;
  /** Whether the advisory has a fix for the version. */
  readonly fixed: boolean;
  /** The statements by which it is affected. */
  readonly statementIds: readonly number[];
  /** The advisories that make these statements. */
  readonly advisories: readonly AdvisoryKey[];
}

/** Which statements count. */
export interface AffectedBy {
  /** Include those that the vendor rates negligible. */
  readonly includeHidden: boolean;
  /**
   * For errata, include the vulnerability records of their CVEs about the packages that the erratum names, because the
   * erratum is folded into these records; a withdrawn one is not.
   */
  readonly includeFolded: boolean;
}

/** The package versions that advisories affect. */
export async function findAffectedVersions(
  client: pg.Pool | pg.PoolClient,
  advisories: readonly AdvisoryKey[],
  { includeHidden, includeFolded }: AffectedBy,
): Promise<readonly AffectedVersion[]> {
  if (advisories.length === 0) return [];
  const { rows } = await client.query<AffectedVersion>(
    `WITH asked AS (
       SELECT a.id, a.kind, a.cves, a.withdrawn_at FROM advisories a WHERE a.id = ANY($1::int[])
     ), said AS (
       SELECT a.id AS asked, ap.id AS statement FROM asked a JOIN advisory_packages ap ON ap.advisory_id = a.id
       UNION
       SELECT a.id, vp.id FROM asked a CROSS JOIN unnest(a.cves) AS c (cve)
       JOIN advisories v ON v.cves @> ARRAY[c.cve] AND v.kind = 'vulnerability'
       JOIN advisory_packages vp ON vp.advisory_id = v.id
       JOIN advisory_packages ap ON ap.advisory_id = a.id AND ap.release_id = vp.release_id AND ap.name = vp.name
         AND (ap.cves IS NULL OR c.cve = ANY(ap.cves))
       WHERE a.kind = 'erratum' AND a.withdrawn_at IS NULL AND $3
     )
     SELECT s.asked, v.id, v.release_id AS "releaseId", jsonb_typeof(v.verdict -> 'kernel') = 'object' AS "isKernel",
            bool_or(ap.fixed_version IS NOT NULL) AS fixed, array_agg(ap.id) AS "statementIds",
            array_agg(DISTINCT ap.advisory_id) AS advisories
     FROM said s JOIN advisory_packages ap ON ap.id = s.statement
     JOIN package_version_advisories m ON m.advisory_package_id = ap.id
     JOIN package_versions v ON v.id = m.package_version_id
     WHERE $2 OR ap.severity <> 'none'
     GROUP BY s.asked, v.id`,
    [advisories, includeHidden, includeFolded],
  );
  return rows;
}
