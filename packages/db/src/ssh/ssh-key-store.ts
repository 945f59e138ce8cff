import type { SshKeyPairId } from '@plimsoll/model';
import { type AuditActor, recordAuditEvent } from '../audit/audit-events.ts';
import { bufferOf, ownBytes } from '../connection/bytes.ts';
import { inTransaction, type Transaction } from '../connection/transaction.ts';
import type { Database } from '../database.ts';

/** An ed25519 pair as it is stored. */
export interface SealedKeyPair {
  readonly id: SshKeyPairId;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  /** The private half; only the ssh-worker can open it. */
  readonly sealed: Buffer;
  /** Hexadecimal id of the key it is sealed to. */
  readonly sealedTo: string;
}

/** What is shown of the installation's pair. The sealed half is not read: the API's role may not. */
export type InstallationPair = Pick<SealedKeyPair, 'id' | 'publicKey'>;

/** Key pairs, as far as they belong to no host, and their sealing. */
export interface SshKeyStore {
  /** The pair that hosts without one of their own share; null before the first was made. */
  installationPair(): Promise<InstallationPair | null>;
  /** Makes a pair the installation's, unless it has one; answers the one it has. */
  createInstallationPair(pair: SealedKeyPair, by: AuditActor): Promise<InstallationPair>;
  /** Pairs that are sealed to another key than `notUnder`, with an id above `after`, in the order of their ids. */
  sealed(page: {
    readonly notUnder: string;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly Pick<SealedKeyPair, 'id' | 'sealed'>[]>;
  /** Replaces a sealed record by another of the same key; false when it changed meanwhile or is gone. */
  reseal(id: string, before: Uint8Array, after: Uint8Array, keyId: string): Promise<boolean>;
}

/** The key pairs of one database. */
export function createSshKeyStore({ prisma }: Database): SshKeyStore {
  const installationPair = async (): Promise<InstallationPair | null> => {
    const pair = await prisma.sshKeyPair.findFirst({
      where: { hostId: null },
      select: { id: true, publicKey: true },
    });
    return pair === null ? null : { id: keyPairId(pair), publicKey: bufferOf(pair.publicKey) };
  };
  return {
    installationPair,
    async createInstallationPair(pair, by) {
      await inTransaction(prisma, async (tx) => {
        if (!(await insertKeyPair(tx, null, pair))) return;
        const target = { kind: 'key_pair', id: pair.id, name: 'installation' } as const;
        await recordAuditEvent(tx, { action: 'ssh.key_created', actor: by, target, details: {} });
      });
      const found = await installationPair();
      if (found === null) throw new Error('the key pair that was just stored is gone');
      return found;
    },
    async sealed({ notUnder, after, limit }) {
      const pairs = await prisma.sshKeyPair.findMany({
        where: { sealedTo: { not: notUnder }, ...(after === null ? {} : { id: { gt: after } }) },
        select: { id: true, sealed: true },
        orderBy: { id: 'asc' },
        take: limit,
      });
      return pairs.map((pair) => ({ id: keyPairId(pair), sealed: bufferOf(pair.sealed) }));
    },
    async reseal(id, before, after, keyId) {
      const { count } = await prisma.sshKeyPair.updateMany({
        where: { id, sealed: ownBytes(before) },
        data: { sealed: ownBytes(after), sealedTo: keyId },
      });
      return count === 1;
    },
  };
}

/** Stores a pair of a host, or of the installation where there is no host; false where the installation has one. */
export async function insertKeyPair(
  tx: Transaction,
  hostId: string | null,
  { id, publicKey, sealed, sealedTo }: SealedKeyPair,
): Promise<boolean> {
  const { count } = await tx.sshKeyPair.createMany({
    data: { id, hostId, publicKey: ownBytes(publicKey), sealed: ownBytes(sealed), sealedTo },
    skipDuplicates: hostId === null,
  });
  return count === 1;
}

/** Ids of pairs are written by `insertKeyPair` alone. */
export function keyPairId({ id }: { readonly id: string }): SshKeyPairId {
  return id as SshKeyPairId;
}
