import type { HostId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import type { HostToCount, StoredInput } from './counted-snapshots.ts';
import { type StoredCounts, storedCounts } from './host-state.ts';

/** A host and what its row says of its newest snapshot and of its counts. */
export interface CountedBefore extends HostToCount {
  readonly stored: StoredInput & StoredCounts;
}

/**
 * Reads hosts without locking them: the counts of most hosts stay as they are. Their finding lists are looked up one by
 * one (OFFSET 0), because PostgreSQL prefers to read all lists for some hundred hosts.
 */
export async function loadHostsToCount(
  tx: PgTransaction,
  ids: readonly HostId[],
): Promise<readonly CountedBefore[]> {
  const { rows } = await tx.query<Omit<HostToCount, 'stored'> & CountedBefore['stored']>(
    `SELECT hs.host_id AS "hostId", hs.snapshot_id AS "snapshotId", r.name AS release, hs.set_id AS "setId",
            hs.counted_input AS input, ${storedCounts('hs')} AS counts, l.digest AS findings
     FROM host_state hs JOIN releases r ON r.id = hs.release_id
     LEFT JOIN LATERAL (SELECT digest FROM finding_lists WHERE id = hs.finding_list_id OFFSET 0) l ON true
     WHERE hs.host_id = ANY($1::uuid[]) AND hs.snapshot_id IS NOT NULL`,
    [ids],
  );
  return rows.map(({ hostId, snapshotId, ...stored }) => ({ hostId, snapshotId, stored }));
}
