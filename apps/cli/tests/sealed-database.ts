import {
  createSshHostStore,
  createSshKeyStore,
  type Database,
  newId,
  type SealedKeyPair,
  systemActor,
} from '@plimsoll/db';
import type { HostId, SshKeyPairId } from '@plimsoll/model';
import { openSealed, type SealingKey, type SealingPublicKey, seal } from '@plimsoll/secrets';
import { createTestDatabase, startedPer } from '@plimsoll/testing';

/** A real database with hosts and sealed private SSH keys. */
export interface SealedDatabase {
  readonly url: string;
  readonly db: Database;
  /** Adds a host with its own pair, as the API does; returns the pair's id and the sealed seed. */
  addHost(publicKey: SealingPublicKey): Promise<{ host: HostId; id: string; seed: Buffer }>;
  /** Adds a host whose pair has any bytes as `sealed`. */
  addRecord(id: SshKeyPairId, sealed: Buffer, sealedTo: string): Promise<HostId>;
  /** The sealed data in the database, decrypted with a ring, by pair id. */
  openAll(ring: readonly SealingKey[]): Promise<ReadonlyMap<string, Buffer>>;
  /** Ids of the keys that records are sealed to, each once. */
  sealedTo(): Promise<readonly string[]>;
  /** Deletes every host. */
  clear(): Promise<void>;
  stop(): Promise<void>;
}

/** A database for all tests of a file. */
export function sealedDatabasePerFile(): SealedDatabase {
  return startedPer('file', startSealedDatabase, (database) => database.stop());
}

async function startSealedDatabase(): Promise<SealedDatabase> {
  const { url, db, drop } = await createTestDatabase();
  const addRecord = async (id: SshKeyPairId, sealed: Buffer, sealedTo: string): Promise<HostId> => {
    const host = newId<HostId>();
    const pair: SealedKeyPair = { id, publicKey: Buffer.alloc(32), sealed, sealedTo };
    await createSshHostStore(db).create(
      {
        id: host,
        displayName: id,
        hostname: 'host.example',
        staleAfterSeconds: 3600,
        user: 'plimsoll',
        port: 22,
        frequencyMinutes: 60,
        keyPair: { kind: 'own', pair },
        hostKeyFingerprint: null,
      },
      systemActor('test'),
    );
    return host;
  };
  return {
    url,
    db,
    addRecord,
    async addHost(publicKey) {
      const id = newId<SshKeyPairId>();
      const seed = Buffer.alloc(32, id);
      return { host: await addRecord(id, seal(publicKey, seed, id), publicKey.keyId), id, seed };
    },
    async openAll(ring) {
      const page = { notUnder: '', after: null, limit: 100_000 };
      const rows = await createSshKeyStore(db).sealed(page);
      return new Map(rows.map(({ id, sealed }) => [id, openSealed(ring, sealed, id)]));
    },
    async sealedTo() {
      const { rows } = await db.pool.query<{ key: string }>(
        'SELECT DISTINCT sealed_to AS key FROM ssh_key_pairs ORDER BY 1',
      );
      return rows.map(({ key }) => key);
    },
    async clear() {
      await db.pool.query('DELETE FROM hosts');
    },
    stop: drop,
  };
}
