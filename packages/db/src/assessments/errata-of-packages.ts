import type { Release } from '@plimsoll/model';
import type { Statements } from '../connection/transaction.ts';

/** An erratum that ships a fix of a package in a release: further evidence for the CVEs it names. */
export interface ErratumOf {
  readonly name: string;
  readonly externalId: string;
  readonly cves: readonly string[];
}

/** A package by the name that advisories use, and a CVE. */
export interface PackageCve {
  readonly name: string;
  readonly cve: string;
}

/**
 * A package with fewer statements in a release has its errata found by these. A kernel has thousands, few of them of
 * errata: its errata are found by its CVEs, each of which takes ten times as long as a statement.
 */
const fewStatements = 2_000;

/**
 * The errata of a release for packages: all that name one of a package's CVEs, and possibly others of the package.
 * @param few fewer statements than this are read one by one
 */
export async function loadErrataOf(
  client: Statements,
  release: Release,
  pairs: readonly PackageCve[],
  few = fewStatements,
): Promise<readonly ErratumOf[]> {
  const { rows } = await client.query<ErratumOf>(
    `WITH asked AS MATERIALIZED (
       SELECT n.name, r.id AS release_id, (SELECT count(*) FROM (
           SELECT FROM advisory_packages WHERE release_id = r.id AND name = n.name LIMIT $4::int) s) < $4 AS has_few
       FROM releases r CROSS JOIN (SELECT DISTINCT unnest($2::text[]) AS name) n WHERE r.name = $1)
     SELECT found.name, found.external_id AS "externalId", found.cves
     FROM asked n CROSS JOIN LATERAL (
       SELECT ap.name, e.external_id, coalesce(ap.cves, e.cves) AS cves
       FROM (SELECT * FROM advisory_packages WHERE release_id = n.release_id AND name = n.name OFFSET 0) ap
       CROSS JOIN LATERAL (SELECT * FROM advisories WHERE id = ap.advisory_id OFFSET 0) e
       WHERE e.kind = 'erratum' AND e.withdrawn_at IS NULL OFFSET 0) found
     WHERE n.has_few
     UNION ALL
     SELECT e.name, e.external_id, coalesce(ap.cves, e.cves)
     FROM (SELECT DISTINCT ON (n.name, a.id) n.name, n.release_id, a.id, a.external_id, a.cves
           FROM unnest($2::text[], $3::text[]) AS c (name, cve) JOIN asked n ON n.name = c.name AND NOT n.has_few
           CROSS JOIN LATERAL (
             SELECT * FROM advisories
             WHERE cves @> ARRAY[c.cve] AND kind = 'erratum' AND withdrawn_at IS NULL OFFSET 0) a) e
     CROSS JOIN LATERAL (
       SELECT * FROM advisory_packages
       WHERE advisory_id = e.id AND release_id = e.release_id AND name = e.name OFFSET 0) ap`,
    [release, pairs.map(({ name }) => name), pairs.map(({ cve }) => cve), few],
  );
  return rows;
}
