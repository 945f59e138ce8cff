import { lockHost, lockRow } from '../../core/locks.ts';
import { databaseTime, type Transaction } from '../../core/transaction.ts';
import type { SshTarget } from '../../generated/client.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';
import { nextSoon, planNextPull } from './pull-schedule.ts';
import { insertKeyPair, type SealedKeyPair } from './ssh-key-store.ts';

/** SshHostStore.rotateKey */
export async function rotateKey(
  tx: Transaction,
  hostId: string,
  pair: SealedKeyPair,
  actor: AuditActor,
): Promise<boolean> {
  if (!(await lockHost(tx, hostId))) return false;
  await lockRow(tx, 'ssh_targets', hostId, 'update');
  const target = await tx.sshTarget.findUnique({
    where: { hostId },
    select: { keyPairId: true, previousKeyPairId: true },
  });
  if (target === null) return false;
  const { keyPairId: current, previousKeyPairId: previous } = target;
  await insertKeyPair(tx, hostId, pair);
  // After a second rotation before any visit, the pair in between never worked and is deleted.
  await tx.sshTarget.updateMany({
    where: { hostId },
    data: { keyPairId: pair.id, previousKeyPairId: previous ?? current },
  });
  await planNextPull(tx, hostId, nextSoon);
  if (previous !== null) await tx.sshKeyPair.deleteMany({ where: { id: current, hostId } });
  const host = { kind: 'host', id: hostId, name: null } as const;
  await recordAuditEvent(tx, { action: 'ssh.key_rotated', actor, target: host, details: {} });
  return true;
}

/** SshHostStore.acceptHostKey */
export async function acceptHostKey(
  tx: Transaction,
  hostId: string,
  fingerprint: string,
  actor: AuditActor,
): Promise<boolean> {
  if (!(await lockHost(tx, hostId))) return false;
  await lockRow(tx, 'ssh_targets', hostId, 'update');
  const before = await tx.sshTarget.findUnique({
    where: { hostId },
    select: { hostKeyType: true, hostKeyFingerprint: true, otherKeyType: true, otherKeyFingerprint: true },
  });
  if (before === null) return false;
  await tx.sshTarget.updateMany({
    where: { hostId },
    data: {
      hostKeyType: typeOfKey(before, fingerprint),
      hostKeyFingerprint: fingerprint,
      hostKeyPinnedAt: await databaseTime(tx),
      ...noOtherKey,
    },
  });
  await planNextPull(tx, hostId, nextSoon);
  await recordAuditEvent(tx, {
    action: 'ssh.host_key_accepted',
    actor,
    target: { kind: 'host', id: hostId, name: null },
    details: { fingerprint, before: before.hostKeyFingerprint },
  });
  return true;
}

/** The values that clear a reported other key. */
const noOtherKey = { otherKeyType: null, otherKeyFingerprint: null, otherKeySeenAt: null } as const;

type KnownKeys = Pick<
  SshTarget,
  'hostKeyType' | 'hostKeyFingerprint' | 'otherKeyType' | 'otherKeyFingerprint'
>;

/** The type of the key with a fingerprint, if the host has presented it. */
function typeOfKey(known: KnownKeys, fingerprint: string): string | null {
  if (known.otherKeyFingerprint === fingerprint) return known.otherKeyType;
  return known.hostKeyFingerprint === fingerprint ? known.hostKeyType : null;
}
