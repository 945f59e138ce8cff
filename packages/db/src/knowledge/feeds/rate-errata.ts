import { feedRoles } from '@plimsoll/advisories';
import { severities } from '@plimsoll/model';
import type pg from 'pg';
import { isCveRecord } from '../find-matches.ts';
import { cvesToScanFor } from '../judged-cves.ts';
import { insertPastStatements } from '../past-statements.ts';

/**
 * Gives errata of changed packages without a vendor's severity the worst severity in the same vendor's records of their
 * CVEs: of the same package and release, otherwise of the CVE in any release of the distribution. An erratum with a
 * CVSS score takes only vendors' severities, and only if each of its CVEs has one. Without such records an erratum
 * keeps its stated severity. Records of leading feeds get severities in the same way, of the same package and release
 * only. Errata never become negligible. The source is then `cves`, or `cvss` if the worst record has only a score. Runs in an
 * import's transaction. @param at when the change takes effect.
 */
export async function rateErrata(client: pg.PoolClient, at: Date): Promise<void> {
  await client.query('TRUNCATE unrated_errata');
  await client.query(
    `INSERT INTO unrated_errata
     SELECT ap.id, ap.release_id, ap.name, split_part(r.name, ':', 1), coalesce(ap.cves, a.cves), ap.stated_severity, ap.stated_source,
            a.feed_id = ANY($1::text[])
     FROM changed_pairs p
     JOIN advisory_packages ap USING (release_id, name)
     JOIN advisories a ON a.id = ap.advisory_id JOIN releases r ON r.id = ap.release_id
     WHERE (ap.names IS NOT NULL) = p.is_source AND ap.stated_source <> 'vendor'
       AND (NOT ${isCveRecord('a')} OR a.feed_id = ANY($1::text[]))`,
    [feedRoles.leading],
  );
  await client.query('ANALYZE unrated_errata');
  const { rows } = await client.query<{ cves: number }>(
    'SELECT count(DISTINCT cve)::int AS cves FROM unrated_errata CROSS JOIN LATERAL unnest(cves) AS c (cve)',
  );
  const cves = rows[0]?.cves ?? 0;
  await client.query(ratingUpdate(cves < cvesToScanFor ? ratedByIndex : ratedByScan), [at]);
}

const wanted = 'SELECT DISTINCT unnest(cves) AS cve FROM unrated_errata';
const isRated = `ap.stated_severity <> 'unrated' AND ap.names IS DISTINCT FROM 'upstream_source'`;
/** One record after the other, because PostgreSQL expects hundreds for each CVE and would read all statements. */
const ratedByIndex = `(${wanted}) w
  CROSS JOIN LATERAL (SELECT id FROM advisories a
    WHERE a.cves @> ARRAY[w.cve] AND ${isCveRecord('a')} AND a.withdrawn_at IS NULL OFFSET 0) a
  CROSS JOIN LATERAL (SELECT * FROM advisory_packages ap WHERE ap.advisory_id = a.id AND ${isRated} OFFSET 0) ap`;
const ratedByScan = `advisories a CROSS JOIN LATERAL unnest(a.cves) AS c (cve) JOIN (${wanted}) w ON w.cve = c.cve
  JOIN advisory_packages ap ON ap.advisory_id = a.id AND ${isCveRecord('a')} AND a.withdrawn_at IS NULL AND ${isRated}`;

const words = `ARRAY[${severities.map((word) => `'${word}'`).join(',')}]`;
const sources = `ARRAY['vendor','cvss']`;
/** The source of a severity that is derived from sources. */
const derivedSources = `ARRAY['cves','cvss']`;
/**
 * A stated severity and its source as one number. A worse severity has a lower number; at equal severity, the vendor's is
 * below CVSS.
 */
const code = `array_position(${words}, ap.stated_severity) * 4 + array_position(${sources}, ap.stated_source)`;

const isRatedOtherwise = `(ap.severity, ap.severity_source) IS DISTINCT FROM
  (coalesce(rated.severity, rated.stated_severity),
   CASE WHEN rated.severity IS NULL THEN rated.stated_source ELSE rated.source END)`;

/** @param rated SQL: the statements `ap` that rate the CVE `w.cve`. */
function ratingUpdate(rated: string): string {
  return `
    WITH ratings AS MATERIALIZED (
      SELECT w.cve, split_part(r.name, ':', 1) AS family, ap.release_id, ap.name, ap.stated_source AS source, ${code} AS code
      FROM ${rated} JOIN releases r ON r.id = ap.release_id),
    own AS MATERIALIZED (
      SELECT cve, release_id, name, min(code) AS any_code, min(code) FILTER (WHERE source = 'vendor') AS vendor_code
      FROM ratings GROUP BY cve, release_id, name),
    anywhere AS MATERIALIZED (
      SELECT cve, family, min(code) AS any_code, min(code) FILTER (WHERE source = 'vendor') AS vendor_code
      FROM ratings GROUP BY cve, family),
    worst AS (
      SELECT e.id, CASE e.stated_source
          WHEN 'none' THEN min(coalesce(own.any_code, elsewhere.any_code))
          ELSE CASE WHEN bool_and(coalesce(own.vendor_code, elsewhere.vendor_code) IS NOT NULL)
            THEN min(coalesce(own.vendor_code, elsewhere.vendor_code)) END
        END AS code
      FROM unrated_errata e CROSS JOIN LATERAL unnest(e.cves) AS c (cve)
      LEFT JOIN own ON own.cve = c.cve AND own.release_id = e.release_id AND own.name = e.name
      LEFT JOIN anywhere elsewhere ON elsewhere.cve = c.cve AND elsewhere.family = e.family AND NOT e.own_only
      GROUP BY e.id, e.stated_source),
    rated AS (
      SELECT e.id, e.stated_severity, e.stated_source,
             (${words})[CASE WHEN e.own_only THEN w.code / 4 ELSE nullif(w.code / 4, array_position(${words}, 'none')) END] AS severity, (${derivedSources})[w.code % 4] AS source
      FROM unrated_errata e LEFT JOIN worst w USING (id)),
    kept AS (${insertPastStatements(
      '$1',
      `FROM rated JOIN advisory_packages ap USING (id) WHERE ap.since < $1 AND ${isRatedOtherwise}`,
    )})
    UPDATE advisory_packages ap
    SET severity = coalesce(rated.severity, rated.stated_severity),
        severity_source = CASE WHEN rated.severity IS NULL THEN rated.stated_source ELSE rated.source END,
        since = $1
    FROM rated WHERE ap.id = rated.id AND ${isRatedOtherwise}`;
}
