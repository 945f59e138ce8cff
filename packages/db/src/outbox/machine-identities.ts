import type { ApprovalStatus, HostId } from '@plimsoll/model';
import { type Database, preparedReads } from '../core/database.ts';

/** What is known of the machine of a host. */
export interface MachineIdentity {
  readonly hostId: HostId;
  readonly approvalStatus: ApprovalStatus;
  /** The stored machine id; empty if there is none. */
  readonly machineId: string;
  /** The machine id in the newest matched report, empty if it has none; null without a report. */
  readonly reportedId: string | null;
  /** Whether another host, approved or pending, in any scope, has the machine id or has claimed it. */
  readonly isShared: boolean;
}

/** The machines of those of the hosts that exist, in no order. */
export async function readMachineIdentities(
  database: Database,
  hostIds: readonly string[],
): Promise<readonly MachineIdentity[]> {
  const { rows } = await preparedReads(database).query<MachineIdentity>(
    `SELECT h.id AS "hostId", h.approval_status AS "approvalStatus", h.machine_id AS "machineId",
       CASE WHEN s.id IS NOT NULL THEN coalesce(s.facts #>> '{platform,machineId}', '') END AS "reportedId",
       h.machine_id_conflict_with IS NOT NULL
         OR EXISTS (SELECT FROM hosts o WHERE o.machine_id_conflict_with = h.id)
         OR EXISTS (SELECT FROM hosts o WHERE h.machine_id <> '' AND machine_key(o.machine_id) = machine_key(h.machine_id)
                    AND o.id <> h.id AND o.approval_status <> 'retired') AS "isShared"
     FROM hosts h JOIN host_state hs ON hs.host_id = h.id LEFT JOIN snapshots s ON s.id = hs.snapshot_id
     WHERE h.id = ANY($1::uuid[])`,
    [hostIds],
  );
  return rows;
}
