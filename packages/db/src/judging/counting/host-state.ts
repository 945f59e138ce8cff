import type { HostId, PackageVersionId, UploadId } from '@plimsoll/model';
import type { PgTransaction } from '../../core/database.ts';
import { findMachineIdConflict } from '../../core/locks.ts';
import { columnsIn, rowTable } from '../../core/row-table.ts';
import { judgementColumns, judgementOf, loadOverviewFacts } from '../../fleet/hosts/judgement.ts';
import { internFindingLists } from './finding-list.ts';
import type { CountedRow, HostCounts, HostToCount } from './host-counter.ts';

/** Copies platform, package set, hostname, address and machine id from snapshots to their hosts. */
export async function writeHostPlatform(tx: PgTransaction, snapshots: readonly HostToCount[]): Promise<void> {
  if (snapshots.length === 0) return;
  const ids = snapshots.map(({ snapshotId }) => snapshotId);
  await tx.query(
    `UPDATE host_state hs SET
       snapshot_id = s.id, sequence = s.sequence, set_id = s.set_id, release_id = s.release_id,
       is_manual = s.source = 'manual', snapshot_collected_at = s.collected_at,
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
 * Sets the machine id of hosts that have none. A host keeps its id, except a pulled one, whose machine a user named by its
 * address: it can be installed anew. If a report contains the id of another host, the conflict is stored.
 */
async function compareMachineIds(tx: PgTransaction, snapshotIds: readonly UploadId[]): Promise<void> {
  const { rows } = await tx.query<{ host_id: HostId; before: string; kept: boolean; machine_id: string }>(
    `SELECT h.id AS host_id, h.machine_id AS before, h.machine_id <> '' AND h.onboarding_mode <> 'ssh' AS kept,
       s.facts #>> '{platform,machineId}' AS machine_id
     FROM snapshots s JOIN hosts h ON h.id = s.host_id
     WHERE s.id = ANY($1::uuid[]) AND s.facts #>> '{platform,machineId}' ~ '^[!-~]{1,128}$'
       AND (h.machine_id = '' OR h.machine_id_conflict_with IS NULL
            AND machine_key(h.machine_id) <> machine_key(s.facts #>> '{platform,machineId}'))
     ORDER BY machine_key(s.facts #>> '{platform,machineId}'), host_id`,
    [snapshotIds],
  );
  // One by one, under the lock that enrolments take: the second of two clones must find the first.
  for (const { host_id, before, kept, machine_id } of rows) {
    const conflict = await findMachineIdConflict(tx, machine_id, host_id);
    if (kept && conflict === null) continue;
    await tx.query('UPDATE hosts SET machine_id = $2, machine_id_conflict_with = $3 WHERE id = $1', [
      host_id,
      conflict === null ? machine_id : before || machine_id,
      conflict,
    ]);
  }
}

/**
 * Stores counts and finding lists of hosts, and by what they were counted, in the order of `snapshots`, with the judgement that
 * follows. Writes only rows that differ. The caller has locked the hosts' rows.
 */
export async function writeHostCounts(
  tx: PgTransaction,
  snapshots: readonly Pick<HostToCount, 'hostId'>[],
  counted: readonly CountedRow[],
): Promise<void> {
  if (snapshots.length === 0) return;
  const listIds = await internFindingLists(
    tx,
    counted.map(({ findings }) => findings),
  );
  const hostIds = snapshots.map(({ hostId }) => hostId);
  const hosts = new Map((await loadOverviewFacts(tx, hostIds)).map((host) => [host.hostId, host]));
  const { table, columns, values } = rowTable(
    `host_id uuid, ${countColumns}, counted_input bytea, finding_list_id int, ${judgementColumns}`,
    counted.map(({ counts, input }, index) => {
      const host = hosts.get(hostIds[index] ?? ('' as HostId)); // As many as counts.
      const findingListId = listIds[index];
      if (host === undefined || findingListId === undefined)
        throw new Error('a host that was locked is gone');
      const supportEndsAt = counts.supportEndsAt?.getTime() ?? null;
      const judged = judgementOf({ ...host, facts: { ...host.facts, ...counts, supportEndsAt } });
      const judgedUntil = new Date(judged.judgedUntil);
      return { hostId: host.hostId, countedInput: input, findingListId, ...counts, ...judged, judgedUntil };
    }),
  );
  const [, ...written] = columns.split(', ');
  // Of judgements that hold longer than the stored one nothing is written.
  const compared = written.filter((name) => name !== 'judged_until');
  await tx.query(
    `UPDATE host_state hs SET (${written.join(', ')}) = ROW (${prefixed('n', written)}) FROM ${table} n
     WHERE hs.host_id = ANY($1::uuid[]) AND hs.host_id = n.host_id
       AND ((${prefixed('hs', compared)}) IS DISTINCT FROM (${prefixed('n', compared)}) OR hs.judged_until > n.judged_until)`,
    values,
  );
}

/** Counts as the text of `storedCounts`, and the digest of the finding list; null without one. */
export interface StoredCounts {
  readonly counts: string;
  readonly findings: Uint8Array | null;
}

/** SQL: all counts of a row of host_state in one text, because parsing each column takes longer than counting. */
export function storedCounts(alias: string): string {
  const values = countNames.map((name) =>
    name.endsWith('_at') ? `date_part('epoch', ${alias}.${name}) * 1000` : `${alias}.${name}`,
  );
  return `ROW (${values.join(', ')})::text`;
}

/** Whether a host's row already has these counts, finding list and input. */
export function isStored(
  stored: StoredCounts & { readonly input: Uint8Array | null },
  { counts, findings, input }: CountedRow,
): boolean {
  if (stored.input === null || !input.equals(stored.input)) return false;
  if (stored.findings === null || !findings.digest.equals(stored.findings)) return false;
  return stored.counts === `(${countProperties.map((property) => textOf(counts[property])).join(',')})`;
}

/** The judged kernel in the text of `storedCounts`. */
export function storedJudgedKernel({ counts }: Pick<StoredCounts, 'counts'>): PackageVersionId | null {
  const text = counts.slice(1, -1).split(',')[countProperties.indexOf('judgedKernelId')] ?? '';
  return text === '' ? null : (Number(text) as PackageVersionId); // The column has only these.
}

/** A value as PostgreSQL writes it in a row; none of the words needs quotes. */
function textOf(value: HostCounts[keyof HostCounts]): string {
  if (value === null) return '';
  if (typeof value === 'boolean') return value ? 't' : 'f';
  return value instanceof Date ? String(value.getTime()) : String(value);
}

const countColumns = `critical int, important int, moderate int, low int, unrated int, unfixed int, unfixed_critical int,
  unfixed_important int, unfixed_moderate int, unfixed_low int, unfixed_unrated int, known_exploited int, waived int,
  unknown int, available_updates int, phased_updates int, updates_known bool, broken_packages int, services_due int, reboot_state text, restart_state text, grounds int,
  judged_kernel_id int?, disagreements int, support_ends_at timestamptz?, due_at timestamptz?, overdue int,
  next_due_at timestamptz?`;
const countNames = columnsIn(countColumns).map(({ name }) => name);
const countProperties = columnsIn(countColumns).map(({ field }) => field as keyof HostCounts); // rowTable checks them.

function prefixed(alias: string, names: readonly string[]): string {
  return names.map((name) => `${alias}.${name}`).join(', ');
}

/** A parsed snapshot that waits to become its host's newest. */
export interface WaitingSnapshot extends HostToCount {
  readonly sequence: string;
  readonly receivedAt: Date;
  /** The encoded package set. */
  readonly ids: Uint8Array;
  readonly runningKernelId: PackageVersionId | null;
}

/** The snapshot that a host's state was last written from. */
export interface PriorState {
  /** Null before the first snapshot. */
  readonly snapshotId: UploadId | null;
  readonly sequence: bigint;
  /** The encoded package set; null before the first snapshot. */
  readonly ids: Uint8Array | null;
  /** As the ledger of hosts has it. */
  readonly bootedKernelId: PackageVersionId | null;
}
