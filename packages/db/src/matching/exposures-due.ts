import type { HostId } from '@plimsoll/model';
import type { PgTransaction } from '../database.ts';

/**
 * Has the exposures counted again of hosts of which they were counted. Also writes rows that are due already: a walk that
 * read a host before fails then, and is repeated; otherwise it would end with the row no longer due.
 */
export async function exposuresDue(tx: PgTransaction, hosts: readonly HostId[]): Promise<void> {
  if (hosts.length === 0) return;
  await tx.query(
    `UPDATE exposure_walks SET due = true WHERE host_id IN (
       SELECT host_id FROM exposure_walks WHERE host_id = ANY($1::uuid[]) ORDER BY host_id FOR UPDATE)`,
    [hosts],
  );
}

/** The same also of hosts that a walk may be counting for the first time. The caller has locked them against deletion. */
export async function exposuresOfLockedDue(tx: PgTransaction, hosts: readonly HostId[]): Promise<void> {
  await tx.query(
    `INSERT INTO exposure_walks (host_id, sequence, due, open)
     SELECT host_id, 0, true, '' FROM (SELECT DISTINCT unnest($1::uuid[]) AS host_id ORDER BY 1) n
     ON CONFLICT (host_id) DO UPDATE SET due = true`,
    [hosts],
  );
}
