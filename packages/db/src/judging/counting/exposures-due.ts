import type { HostId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';

/**
 * Has the exposures of hosts counted again. Also writes rows that are due already: a walk that read a host before fails
 * then, and is repeated; otherwise it would end with the row no longer due.
 */
export async function exposuresDue(tx: PgTransaction, hosts: readonly HostId[]): Promise<void> {
  if (hosts.length === 0) return;
  await tx.query(
    `UPDATE exposure_walks SET due = true WHERE host_id IN (
       SELECT host_id FROM exposure_walks WHERE host_id = ANY($1::uuid[]) ORDER BY host_id FOR UPDATE)`,
    [hosts],
  );
}
