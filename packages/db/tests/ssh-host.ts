import { randomBytes } from 'node:crypto';
import type { HostId, SshKeyPairId, UploadId } from '@plimsoll/model';
import {
  createSshHostStore,
  type Database,
  type NewSshHost,
  newId,
  type SealedKeyPair,
  systemActor,
} from '../src/index.ts';
import { receive } from './agent-upload.ts';

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
export function addUpload(db: Database, hostId: HostId): Promise<UploadId> {
  return receive(db, hostId, { door: 'ssh', payloadKind: 'report' });
}
