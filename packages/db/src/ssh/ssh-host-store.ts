import type { HostKey } from '@plimsoll/model';
import { type AuditActor, recordAuditEvent } from '../audit/audit-events.ts';
import { changedFields } from '../audit/changed-fields.ts';
import { bufferOf } from '../connection/bytes.ts';
import { databaseTime } from '../connection/database-time.ts';
import { lockRow } from '../connection/row-locks.ts';
import { inTransaction, type Transaction } from '../connection/transaction.ts';
import type { Database } from '../database.ts';
import { Prisma, type SshKeyPair, type SshTarget } from '../generated/client.ts';
import { insertHost, type NewHost } from '../hosts/insert-host.ts';
import { lockHost } from '../hosts/lock-host.ts';
import { isUuid } from '../uuid.ts';
import { nextAfterChange, nextSoon } from './pull-schedule.ts';
import { insertKeyPair, type SealedKeyPair } from './ssh-key-store.ts';

/** A host to be pulled. */
export interface NewSshHost extends Omit<NewHost, 'onboardingMode'> {
  readonly user: string;
  readonly port: number;
  readonly frequencyMinutes: number;
  /** `installation`: the shared pair with this id. `own`: a new pair, deleted together with the host. */
  readonly keyPair:
    | { readonly kind: 'installation'; readonly id: string }
    | { readonly kind: 'own'; readonly pair: SealedKeyPair };
  /** `SHA256:…`, if known before the first visit. */
  readonly hostKeyFingerprint: string | null;
}

/** The address and schedule of a pulled host, and what is known of its keys. */
export interface SshTargetRow {
  readonly user: string;
  readonly port: number;
  readonly frequencyMinutes: number;
  readonly pullPaused: boolean;
  readonly nextPullAt: Date;
  readonly uniqueKeyPair: boolean;
  /** 32 bytes; of the pair that is tried first. */
  readonly publicKey: Buffer;
  /** SHA-256 of the collector that the host's authorized_keys pins; null if it is not known to pin one. */
  readonly collectorPin: Buffer | null;
  readonly hostKeyType: string | null;
  readonly hostKeyFingerprint: string | null;
  readonly hostKeyPinnedAt: Date | null;
  /** Another key that the host presented later. */
  readonly otherHostKey: (HostKey & { readonly seenAt: Date }) | null;
  readonly failures: number;
}

/** The pull settings that can be changed. */
export interface SshTargetChanges {
  readonly user?: string;
  readonly port?: number;
  readonly frequency?: { readonly minutes: number; readonly staleAfterSeconds: number };
  readonly pullPaused?: boolean;
}

/** Pulled hosts and their settings. */
export interface SshHostStore {
  /** Adds a host with its target and, for `own`, its key pair. */
  create(host: NewSshHost, by: AuditActor): Promise<void>;
  /** Null if the host does not exist or is not pulled. The methods below then return false. */
  find(hostId: string): Promise<SshTargetRow | null>;
  /** Takes effect at the next pull, which comes after at most one interval. */
  update(hostId: string, changes: SshTargetChanges, by: AuditActor): Promise<boolean>;
  /** Gives a host a new pair of its own. The pair that worked last is also tried until the new one has worked. */
  rotateKey(hostId: string, pair: SealedKeyPair, actor: AuditActor): Promise<boolean>;
  /** Pins the host key with a fingerprint and replaces an earlier pin. Its type is learned at the next visit. */
  acceptHostKey(hostId: string, fingerprint: string, actor: AuditActor): Promise<boolean>;
}

/** The pulled hosts of one database. */
export function createSshHostStore({ prisma }: Database): SshHostStore {
  return {
    create: (host, by) => inTransaction(prisma, (tx) => create(tx, host, by)),
    async find(hostId) {
      if (!isUuid(hostId)) return null;
      const row = await prisma.sshTarget.findUnique({ where: { hostId }, include: { keyPair: ownerAndKey } });
      return row === null ? null : toTarget(row);
    },
    async update(hostId, changes, by) {
      if (!isUuid(hostId)) return false;
      return inTransaction(prisma, (tx) => update(tx, hostId, changes, by));
    },
    async rotateKey(hostId, pair, actor) {
      if (!isUuid(hostId)) return false;
      return inTransaction(prisma, (tx) => rotateKey(tx, hostId, pair, actor));
    },
    async acceptHostKey(hostId, fingerprint, actor) {
      if (!isUuid(hostId)) return false;
      return inTransaction(prisma, (tx) => acceptHostKey(tx, hostId, fingerprint, actor));
    },
  };
}

async function create(tx: Transaction, host: NewSshHost, by: AuditActor): Promise<void> {
  const { id, keyPair, user, port, frequencyMinutes, hostKeyFingerprint } = host;
  await insertHost(tx, { ...host, onboardingMode: 'ssh' }, by);
  if (keyPair.kind === 'own') await insertKeyPair(tx, id, keyPair.pair);
  const now = await databaseTime(tx);
  await tx.sshTarget.createMany({
    data: {
      hostId: id,
      user,
      port,
      frequencyMinutes,
      keyPairId: keyPair.kind === 'own' ? keyPair.pair.id : keyPair.id,
      hostKeyFingerprint,
      hostKeyPinnedAt: hostKeyFingerprint === null ? null : now,
      nextPullAt: now,
    },
  });
  await planNextPull(tx, id, nextSoon);
}

/** Sets a host's next pull to an expression of the schedule, whose times and jitter the database computes. */
async function planNextPull(tx: Transaction, hostId: string, next: string): Promise<void> {
  await tx.$executeRaw`UPDATE ssh_targets t SET next_pull_at = ${Prisma.raw(next)} WHERE host_id = ${hostId}::uuid`;
}

async function update(
  tx: Transaction,
  hostId: string,
  { user, port, frequency, pullPaused }: SshTargetChanges,
  by: AuditActor,
): Promise<boolean> {
  if (!(await lockHost(tx, hostId))) return false;
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

async function rotateKey(
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

async function acceptHostKey(
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

const ownerAndKey = { select: { hostId: true, publicKey: true } } as const;

type TargetRow = SshTarget & { readonly keyPair: Pick<SshKeyPair, 'hostId' | 'publicKey'> };

function toTarget(row: TargetRow): SshTargetRow {
  const { user, port, frequencyMinutes, pullPaused, nextPullAt, collectorPin, failures, keyPair } = row;
  const { hostKeyType, hostKeyFingerprint, hostKeyPinnedAt } = row;
  const { otherKeyType: type, otherKeyFingerprint: fingerprint, otherKeySeenAt: seenAt } = row;
  const isComplete = type !== null && fingerprint !== null && seenAt !== null;
  return {
    user,
    port,
    frequencyMinutes,
    pullPaused,
    nextPullAt,
    uniqueKeyPair: keyPair.hostId !== null,
    publicKey: bufferOf(keyPair.publicKey),
    collectorPin: collectorPin === null ? null : bufferOf(collectorPin),
    hostKeyType,
    hostKeyFingerprint,
    hostKeyPinnedAt,
    otherHostKey: isComplete ? { type, fingerprint, seenAt } : null,
    failures,
  };
}
