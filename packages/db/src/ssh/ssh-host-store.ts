import type { HostKey, HostScope } from '@plimsoll/model';
import type { AuditActor } from '../audit/audit-events.ts';
import { bufferOf } from '../connection/bytes.ts';
import { databaseTime, inTransaction, type Transaction } from '../connection/transaction.ts';
import { type Database, isUuid } from '../database.ts';
import type { SshKeyPair, SshTarget } from '../generated/client.ts';
import { insertHost, type NewHost } from '../hosts/insert-host.ts';
import { acceptHostKey, rotateKey } from './change-host-keys.ts';
import { nextSoon, planNextPull } from './pull-schedule.ts';
import { insertKeyPair, type SealedKeyPair } from './ssh-key-store.ts';
import { type SshHostChanges, updateSshHost } from './update-ssh-host.ts';

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

/** Pulled hosts and their settings. */
export interface SshHostStore {
  /** Adds a host with its target and, for `own`, its key pair. */
  create(host: NewSshHost, by: AuditActor): Promise<void>;
  /** Null if the host does not exist or is not pulled. The methods below then return false. */
  find(hostId: string): Promise<SshTargetRow | null>;
  /** All in one transaction; see updateSshHost. Takes effect at the next pull, which comes after at most one interval. */
  update(scope: HostScope, hostId: string, changes: SshHostChanges, by: AuditActor): Promise<boolean>;
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
    async update(scope, hostId, changes, by) {
      if (!isUuid(hostId)) return false;
      return inTransaction(prisma, (tx) => updateSshHost(tx, scope, hostId, changes, by));
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
