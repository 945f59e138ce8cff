import type { HostScope } from '@plimsoll/model';
import { lockRow } from '../../core/locks.ts';
import type { Transaction } from '../../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';
import { changedFields } from '../../people/changed-fields.ts';
import { type HostUpdate, updateHost } from '../hosts/update-host.ts';
import { nextAfterChange, nextSoon, planNextPull } from './pull-schedule.ts';

/** The pull settings that can be changed. */
export interface SshTargetChanges {
  readonly user?: string;
  readonly port?: number;
  readonly frequency?: { readonly minutes: number; readonly staleAfterSeconds: number };
  readonly pullPaused?: boolean;
}

/** The fields of a pulled host that can be changed. */
export interface SshHostChanges extends SshTargetChanges, HostUpdate {}

/**
 * Changes a pulled host and its settings. False, with nothing changed, if the host does not exist, is not pulled or is
 * not in the scope. Throws as `updateHost`.
 */
export async function updateSshHost(
  tx: Transaction,
  scope: HostScope,
  hostId: string,
  { user, port, frequency, pullPaused, ...host }: SshHostChanges,
  by: AuditActor,
): Promise<boolean> {
  const isPulled = await tx.sshTarget.findUnique({ where: { hostId }, select: { hostId: true } });
  if (isPulled === null || !(await updateHost(tx, scope, hostId, host, by))) return false;
  if (frequency !== undefined) {
    // Lock order: contact before target, as at the end of an upload.
    await tx.hostContact.updateMany({
      where: { hostId, host: { sshTarget: { isNot: null } } },
      data: { staleAfterSeconds: frequency.staleAfterSeconds },
    });
  }
  await lockRow(tx, 'ssh_targets', hostId, 'update');
  const before = await tx.sshTarget.findUnique({
    where: { hostId },
    select: { user: true, port: true, frequencyMinutes: true, pullPaused: true },
  });
  if (before === null) return false;
  await tx.sshTarget.updateMany({
    where: { hostId },
    data: {
      user: user ?? before.user,
      port: port ?? before.port,
      frequencyMinutes: frequency?.minutes ?? before.frequencyMinutes,
      pullPaused: pullPaused ?? before.pullPaused,
    },
  });
  // A resumed host is due soon.
  await planNextPull(tx, hostId, pullPaused === false ? nextSoon : nextAfterChange);
  const details = changedFields(
    {
      ssh_user: before.user,
      port: before.port,
      frequency_minutes: before.frequencyMinutes,
      pull_paused: before.pullPaused,
    },
    { ssh_user: user, port, frequency_minutes: frequency?.minutes, pull_paused: pullPaused },
  );
  if (details !== null) {
    const target = { kind: 'host', id: hostId, name: null } as const;
    await recordAuditEvent(tx, { action: 'host.updated', actor: by, target, details });
  }
  return true;
}
