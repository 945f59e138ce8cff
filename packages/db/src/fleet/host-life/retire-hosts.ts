import { type AuditDetails, machineKey } from '@plimsoll/model';
import { findMachineIdConflict } from '../../core/locks.ts';
import { databaseTime, statementsIn, type Transaction } from '../../core/transaction.ts';
import { Prisma } from '../../generated/client.ts';
import type { HostDeed, LockedHost } from '../hosts/locked-hosts.ts';
import { nextSoon } from '../ssh/pull-schedule.ts';

/**
 * Retires hosts that the caller has locked: their tokens and pulls end, and they count nowhere. Snapshots, findings and
 * history stay.
 */
export async function retireHosts(
  tx: Transaction,
  hosts: readonly LockedHost[],
  details: AuditDetails = {},
): Promise<readonly HostDeed[]> {
  const ids = hosts.map(({ id }) => id);
  const now = await databaseTime(tx);
  await tx.host.updateMany({
    where: { id: { in: ids } },
    data: {
      approvalStatus: 'retired',
      retiredAt: now,
      sharesAllowanceUntil: null,
      machineIdConflictWith: null,
    },
  });
  await tx.host.updateMany({
    where: { machineIdConflictWith: { in: ids } },
    data: { machineIdConflictWith: null },
  });
  // Also of tokens that enrol the host again: they would bring it back.
  await tx.$queryRaw`SELECT end_tokens_of_hosts(${ids}::uuid[])::text AS ended`;
  // A visit that holds one loses it, and stores nothing more.
  await tx.pullJob.updateMany({
    where: { hostId: { in: ids }, status: { in: ['queued', 'running'] } },
    data: { status: 'cancelled', finishedAt: now, runId: null, leasedUntil: null },
  });
  return hosts.map((host) => ({ host, details }));
}

/**
 * Takes retired hosts back into service, as approved, unless another host has their machine id by now: then they are
 * pending, as at an enrolment. An agent needs a new registration token for its host; pulled hosts are pulled soon.
 */
export async function reinstateHosts(
  tx: Transaction,
  hosts: readonly LockedHost[],
): Promise<readonly HostDeed[]> {
  const ids = hosts.map(({ id }) => id);
  await tx.host.updateMany({
    where: { id: { in: ids } },
    data: { approvalStatus: 'approved', retiredAt: null },
  });
  // In the order of the locks of machine ids.
  const ordered = [...hosts].sort((a, b) => (machineKey(a.machineId) < machineKey(b.machineId) ? -1 : 1));
  const conflicts = new Map<string, string>();
  for (const { id, machineId } of ordered) {
    const other = await findMachineIdConflict(statementsIn(tx), machineId, id);
    if (other === null) continue;
    conflicts.set(id, other);
    await tx.host.updateMany({
      where: { id },
      data: { approvalStatus: 'pending', machineIdConflictWith: other },
    });
  }
  await tx.$executeRaw`UPDATE ssh_targets t SET next_pull_at = ${Prisma.raw(nextSoon)}
    WHERE host_id = ANY(${ids}::uuid[])`;
  return hosts.map((host) => {
    const other = conflicts.get(host.id);
    return { host, details: other === undefined ? {} : { machine_id_conflict_with: other } };
  });
}
