import type { SshKeyPairId } from '@plimsoll/model';
import type { AuditActor } from '../audit/audit-events.ts';
import { recordAuditEventBySql } from '../audit/record-by-sql.ts';
import { type Database, inTransaction, type Transaction } from '../database.ts';

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
export function createSshKeyStore({ pool }: Database): SshKeyStore {
  const installationPair = async (): Promise<InstallationPair | null> => {
    const { rows } = await pool.query<InstallationPair>(
      'SELECT id, public_key AS "publicKey" FROM ssh_key_pairs WHERE host_id IS NULL',
    );
    return rows[0] ?? null;
  };
  return {
    installationPair,
    async createInstallationPair(pair, by) {
      await inTransaction(pool, async (tx) => {
        if (!(await insertKeyPair(tx, null, pair, 'ON CONFLICT DO NOTHING'))) return;
        const target = { kind: 'key_pair', id: pair.id, name: 'installation' } as const;
        await recordAuditEventBySql(tx, { action: 'ssh.key_created', actor: by, target, details: {} });
      });
      const found = await installationPair();
      if (found === null) throw new Error('the key pair that was just stored is gone');
      return found;
    },
    async sealed({ notUnder, after, limit }) {
      const { rows } = await pool.query<Pick<SealedKeyPair, 'id' | 'sealed'>>(
        `SELECT id, sealed FROM ssh_key_pairs
         WHERE sealed_to <> $1 AND ($2::uuid IS NULL OR id > $2) ORDER BY id LIMIT $3`,
        [notUnder, after, limit],
      );
      return rows;
    },
    async reseal(id, before, after, keyId) {
      const { rowCount } = await pool.query(
        'UPDATE ssh_key_pairs SET sealed = $3, sealed_to = $4 WHERE id = $1 AND sealed = $2',
        [id, before, after, keyId],
      );
      return rowCount === 1;
    },
  };
}

/** Stores a pair of a host, or of the installation where there is no host; false where it has one. */
export async function insertKeyPair(
  on: Pick<Transaction, 'query'>,
  hostId: string | null,
  pair: SealedKeyPair,
  onConflict: '' | 'ON CONFLICT DO NOTHING' = '',
): Promise<boolean> {
  const { rowCount } = await on.query(
    `INSERT INTO ssh_key_pairs (id, host_id, public_key, sealed, sealed_to) VALUES ($1, $2, $3, $4, $5) ${onConflict}`,
    [pair.id, hostId, pair.publicKey, pair.sealed, pair.sealedTo],
  );
  return rowCount === 1;
}
