import { createHash, randomBytes } from 'node:crypto';
import type { HostId, SshKeyPairId, UploadId } from '@plimsoll/model';
import {
  createSshHostStore,
  createUploadStore,
  type Database,
  type NewSshHost,
  newId,
  type SealedKeyPair,
  systemActor,
} from '../src/index.ts';

/** A key pair whose sealed private half cannot be opened. */
export function samplePair(sealedTo = 'a1'): SealedKeyPair {
  return { id: newId<SshKeyPairId>(), publicKey: randomBytes(32), sealed: randomBytes(100), sealedTo };
}

/** Adds a host that is pulled every hour and is due now. */
export async function addSshHost(db: Database, changes: Partial<NewSshHost> = {}): Promise<HostId> {
  const id = changes.id ?? newId<HostId>();
  await createSshHostStore(db).create(
    {
      id,
      displayName: 'web',
      hostname: 'web.example.org',
      staleAfterSeconds: 26 * 3600,
      user: 'plimsoll',
      port: 22,
      frequencyMinutes: 60,
      keyPair: { kind: 'own', pair: samplePair() },
      hostKeyFingerprint: null,
      ...changes,
    },
    systemActor('test'),
  );
  await db.prisma.sshTarget.update({
    where: { hostId: id },
    data: { nextPullAt: new Date(Date.now() - 1000) },
  });
  return id;
}

/** Stores an upload of a host, as a worker does with a fetched report. */
export async function addUpload(db: Database, hostId: HostId): Promise<UploadId> {
  const id = newId<UploadId>();
  await createUploadStore(db).accept({
    id,
    hostId,
    door: 'ssh',
    payloadKind: 'report',
    size: 1,
    body: Buffer.from('gzip'),
    contentHash: createHash('sha256').update(id).digest(),
    bootedAt: null,
    listsAt: null,
    repositories: null,
    collectedAt: null,
  });
  return id;
}
