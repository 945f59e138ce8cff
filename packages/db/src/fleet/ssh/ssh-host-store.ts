import { type HostKey, type HostScope, tagsOfScope } from '@plimsoll/model';
import { z } from 'zod';
import { bufferOf } from '../../core/bytes.ts';
import { type Database, isUuid } from '../../core/database.ts';
import { databaseTime, inTransaction, queryRows, type Transaction } from '../../core/transaction.ts';
import { Prisma, type SshKeyPair, type SshTarget } from '../../generated/client.ts';
import type { AuditActor } from '../../people/audit-events.ts';
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

/** The address and account of a pulled host. */
export interface SshLogin {
  readonly hostname: string;
  readonly port: number;
  readonly user: string;
}

/** A host that has a login already. */
export interface KnownLogin {
  readonly hostId: string;
  readonly displayName: string;
}

const knownLogin = z.object({ n: z.number(), id: z.string(), name: z.string() });

/** Pulled hosts and their settings. */
export interface SshHostStore {
  /** Adds a host with its target and, for `own`, its key pair. */
  create(host: NewSshHost, by: AuditActor): Promise<void>;
  /** Adds several in one transaction. */
  createAll(hosts: readonly NewSshHost[], by: AuditActor): Promise<void>;
  /** By index of `logins`: the pulled hosts in service, within the scope, that have the login already. */
  findLogins(scope: HostScope, logins: readonly SshLogin[]): Promise<ReadonlyMap<number, KnownLogin>>;
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
    createAll: (hosts, by) =>
      inTransaction(prisma, async (tx) => {
        for (const host of hosts) await create(tx, host, by);
      }),
    async findLogins(scope, logins) {
      const rows = await queryRows(
        prisma,
        knownLogin,
        Prisma.sql`SELECT l.n::int AS n, h.id::text AS id, h.display_name AS name
          FROM unnest(${logins.map(({ hostname }) => hostname.toLowerCase())}::text[],
                      ${logins.map(({ port }) => port)}::int[], ${logins.map(({ user }) => user)}::text[])
            WITH ORDINALITY AS l (hostname, port, account, n)
          JOIN hosts h ON lower(h.hostname) = l.hostname AND h.onboarding_mode = 'ssh' AND h.approval_status <> 'retired'
          JOIN ssh_targets t ON t.host_id = h.id AND t.port = l.port AND t."user" = l.account
          WHERE ${tagsOfScope(scope)}::text[] IS NULL OR h.tags && ${tagsOfScope(scope)}::text[]
          ORDER BY h.id DESC`,
      );
      // The oldest of several comes last.
      return new Map(rows.map(({ n, id, name }) => [n - 1, { hostId: id, displayName: name }]));
    },
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
  const { collectorPin, keyPair, otherKeyType: type, otherKeyFingerprint: fingerprint, ...target } = row;
  const { otherKeySeenAt: seenAt } = target;
  const isComplete = type !== null && fingerprint !== null && seenAt !== null;
  return {
    ...target,
    uniqueKeyPair: keyPair.hostId !== null,
    publicKey: bufferOf(keyPair.publicKey),
    collectorPin: collectorPin === null ? null : bufferOf(collectorPin),
    otherHostKey: isComplete ? { type, fingerprint, seenAt } : null,
  };
}
