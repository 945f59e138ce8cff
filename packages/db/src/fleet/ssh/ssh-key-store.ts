import type { SshKeyPairId } from '@plimsoll/model';
import { bufferOf, ownBytes } from '../../core/bytes.ts';
import type { Database } from '../../core/database.ts';
import { inTransaction, type Transaction } from '../../core/transaction.ts';
import { type AuditActor, recordAuditEvent } from '../../people/audit-events.ts';

/** An ed25519 pair as it is stored. */
export interface SealedKeyPair {
  readonly id: SshKeyPairId;
  /** 32 bytes. */
  readonly publicKey: Buffer;
  /** The private half; only the ssh-worker can open it. */
  readonly sealed: Buffer;
  /** Hexadecimal id of the sealing key. */
  readonly sealedTo: string;
}

/** The readable fields of the installation's pair. The API's role cannot read the sealed half. */
export type InstallationPair = Pick<SealedKeyPair, 'id' | 'publicKey'>;

/** Key pairs that belong to no host, and the sealing of all pairs. */
export interface SshKeyStore {
  /** The pair shared by hosts without their own; null before it is created. */
  installationPair(): Promise<InstallationPair | null>;
  /** Stores the installation's pair unless it exists; returns the stored one. */
  createInstallationPair(pair: SealedKeyPair, by: AuditActor): Promise<InstallationPair>;
  /** Pairs that are sealed to another key than `notUnder`, with ids above `after`, ordered by id. */
  sealed(page: {
    readonly notUnder: string;
    readonly after: string | null;
    readonly limit: number;
  }): Promise<readonly Pick<SealedKeyPair, 'id' | 'sealed'>[]>;
  /**
   * Replaces a sealed record by a new seal of the same private half; false if it changed or was deleted in the
   * meantime.
   */
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
      if (found === null) throw new Error('the key pair that was just stored does not exist');
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

/** Stores a pair of a host, or of the installation if `hostId` is null; false if the installation already has one. */
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

/** Only `insertKeyPair` writes ids of pairs. */
export function keyPairId({ id }: { readonly id: string }): SshKeyPairId {
  return id as SshKeyPairId;
}
