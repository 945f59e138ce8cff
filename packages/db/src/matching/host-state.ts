import type { HostId, UploadId } from '@plimsoll/model';
import type { PgTransaction } from '../connection/pg-transaction.ts';
import { findMachineIdConflict } from '../hosts/machine-id-lock.ts';
import type { CountableSnapshot, HostCounts } from './host-counter.ts';

/** Copies platform, package set, hostname, address and machine id from snapshots to their hosts. */
export async function writeHostPlatform(
  tx: PgTransaction,
  snapshots: readonly CountableSnapshot[],
): Promise<void> {
  if (snapshots.length === 0) return;
  const ids = snapshots.map(({ snapshotId }) => snapshotId);
  await tx.query(
    `UPDATE host_state hs SET
       snapshot_id = s.id, sequence = s.sequence, set_id = s.set_id, release_id = s.release_id,
       first_snapshot_at = coalesce(hs.first_snapshot_at, s.received_at),
       os_family = s.facts #>> '{platform,osFamily}', os_name = s.facts #>> '{platform,osId}',
       os_version = coalesce(nullif(s.facts #>> '{platform,osVersion}', ''), s.facts #>> '{platform,osVersionId}'),
       os_major = coalesce(substring(s.facts #>> '{platform,osVersionId}' FROM '^[0-9]{1,6}')::int, 0),
       architecture = s.facts #>> '{platform,architecture}'
     FROM snapshots s WHERE s.id = ANY($1::uuid[]) AND hs.host_id = s.host_id`,
    [ids],
  );
  await tx.query(
    `UPDATE hosts h SET hostname = n.hostname, ip_address = n.ip_address, agent_version = n.agent_version
     FROM (
       SELECT s.host_id,
         -- An address entered by a user is kept; an agent's host reports its own name.
         CASE WHEN h.onboarding_mode = 'agent' AND s.facts #>> '{platform,hostname}' <> ''
              THEN left(s.facts #>> '{platform,hostname}', 253) ELSE h.hostname END AS hostname,
         coalesce(s.facts #>> '{platform,ipAddresses,0}', h.ip_address) AS ip_address,
         CASE WHEN s.source = 'agent' THEN s.collector_version ELSE h.agent_version END AS agent_version
       FROM snapshots s JOIN hosts h ON h.id = s.host_id WHERE s.id = ANY($1::uuid[])) n
     WHERE h.id = n.host_id
       AND (h.hostname, h.ip_address, h.agent_version) IS DISTINCT FROM (n.hostname, n.ip_address, n.agent_version)`,
    [ids],
  );
  await compareMachineIds(tx, ids);
}

/**
 * Sets the machine id of hosts that have none. A host keeps its id; if its report contains the id of another host, the
 * conflict is stored.
 */
async function compareMachineIds(tx: PgTransaction, snapshotIds: readonly UploadId[]): Promise<void> {
  const { rows } = await tx.query<{ host_id: HostId; before: string; machine_id: string }>(
    `SELECT h.id AS host_id, h.machine_id AS before, s.facts #>> '{platform,machineId}' AS machine_id
     FROM snapshots s JOIN hosts h ON h.id = s.host_id
     WHERE s.id = ANY($1::uuid[]) AND s.facts #>> '{platform,machineId}' ~ '^[!-~]{1,128}$'
       AND (h.machine_id = '' OR h.machine_id_conflict_with IS NULL
            AND machine_key(h.machine_id) <> machine_key(s.facts #>> '{platform,machineId}'))
     ORDER BY machine_key(s.facts #>> '{platform,machineId}'), host_id`,
    [snapshotIds],
  );
  // One by one, under the lock that enrolments take: the second of two clones must find the first.
  for (const { host_id, before, machine_id } of rows) {
    const conflict = await findMachineIdConflict(tx, machine_id, host_id);
    if (before !== '' && conflict === null) continue;
    await tx.query('UPDATE hosts SET machine_id = $2, machine_id_conflict_with = $3 WHERE id = $1', [
      host_id,
      before || machine_id,
      conflict,
    ]);
  }
}

/** Stores counts of hosts, in the order of `snapshots`. Writes only rows that differ. */
export async function writeHostCounts(
  tx: PgTransaction,
  snapshots: readonly Pick<CountableSnapshot, 'hostId'>[],
  counts: readonly HostCounts[],
): Promise<void> {
  if (snapshots.length === 0) return;
  await tx.query(
    `UPDATE host_state hs SET (${countColumns}) = ROW (${prefixed('n')})
     FROM unnest($1::uuid[], $2::int[], $3::int[], $4::int[], $5::int[], $6::int[], $7::int[], $8::int[], $9::int[],
                 $10::int[], $11::bool[], $12::int[], $13::text[], $14::text[], $15::int[], $16::int[], $17::int[],
                 $18::timestamptz[]) AS n (host_id, ${countColumns})
     WHERE hs.host_id = n.host_id AND (${prefixed('hs')}) IS DISTINCT FROM (${prefixed('n')})`,
    [
      snapshots.map(({ hostId }) => hostId),
      ...countProperties.map((property) => counts.map((count) => count[property])),
    ],
  );
}

const countProperties = [
  'critical',
  'important',
  'moderate',
  'low',
  'unrated',
  'unfixed',
  'knownExploited',
  'unknown',
  'availableUpdates',
  'updatesKnown',
  'servicesDue',
  'rebootState',
  'restartState',
  'grounds',
  'judgedKernelId',
  'disagreements',
  'supportEndsAt',
] as const satisfies readonly (keyof HostCounts)[];

const columnNames = countProperties.map((property) =>
  property.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
);
const countColumns = columnNames.join(', ');

function prefixed(alias: string): string {
  return columnNames.map((column) => `${alias}.${column}`).join(', ');
}
