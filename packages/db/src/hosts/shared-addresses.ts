import type pg from 'pg';

/**
 * Addresses that several hosts in service have: among all that their newest matched report names, by that of their
 * enrolment, or, of hosts without an agent, as what a user entered. Reads the report of every host: 25,000 take 0.3 s.
 */
export async function readSharedAddresses(pool: pg.Pool): Promise<ReadonlySet<string>> {
  const { rows } = await pool.query<{ address: string }>(
    `SELECT a.address FROM hosts h JOIN host_state hs ON hs.host_id = h.id LEFT JOIN snapshots s ON s.id = hs.snapshot_id
     CROSS JOIN LATERAL (
       SELECT jsonb_array_elements_text(s.facts #> '{platform,ipAddresses}') AS address
       UNION SELECT h.ip_address UNION SELECT h.hostname WHERE h.onboarding_mode <> 'agent') a
     WHERE h.approval_status <> 'retired' AND a.address IS NOT NULL
     GROUP BY a.address HAVING count(*) > 1`,
  );
  return new Set(rows.map(({ address }) => address));
}
