import type pg from 'pg';

/**
 * Stored records with another id than the staged record about the same CVE. Exports have renamed records, e.g.
 * CVE-2024-1 to DEBIAN-CVE-2024-1.
 */
export async function findRenamedRecords(client: pg.PoolClient): Promise<string[]> {
  // Autovacuum does not analyze temporary tables; a plan made for an empty one compares every record with every other.
  await client.query('ANALYZE staged_advisories');
  const { rows } = await client.query<{ key: string }>(
    `SELECT a.feed_id || ' ' || a.external_id AS key FROM staged_advisories s
     JOIN advisories a ON a.feed_id = s.feed_id AND a.kind = 'vulnerability' AND a.cves = s.cves
     WHERE s.kind = 'vulnerability' AND a.external_id <> s.external_id AND cardinality(s.cves) = 1
       AND NOT EXISTS (SELECT FROM staged_advisories o WHERE o.feed_id = a.feed_id AND o.external_id = a.external_id)`,
  );
  return rows.map(({ key }) => key);
}
