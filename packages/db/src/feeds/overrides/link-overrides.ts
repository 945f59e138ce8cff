import type { PgTransaction } from '../../database.ts';

/**
 * Links statements with the overrides about them: a statement about the package itself in a record of this
 * one CVE. A record of several CVEs is not linked, because the others can affect the package.
 */
export async function linkOverrides(tx: PgTransaction): Promise<void> {
  await tx.query(
    `UPDATE advisory_packages ap SET override_id = o.id
     FROM feed_overrides o JOIN releases r ON r.name = o.release
     JOIN advisories a ON a.feed_id = o.feed_id AND a.cves @> ARRAY[o.cve] AND cardinality(a.cves) = 1
     WHERE ap.advisory_id = a.id AND ap.release_id = r.id AND ap.name = o.package AND ap.names IS NULL
       AND ap.override_id IS DISTINCT FROM o.id`,
  );
}
