import { createHash, randomBytes } from 'node:crypto';
import type { HostId, UploadId } from '@plimsoll/model';
import { type NewUpload, newId } from '../src/index.ts';

/** An upload of random bytes by the agent of a host. */
export function agentUpload(hostId: HostId, bytes = 20): NewUpload {
  const body = randomBytes(bytes);
  return {
    id: newId<UploadId>(),
    hostId,
    door: 'agent',
    payloadKind: 'protobuf',
    size: bytes,
    body,
    contentHash: new Uint8Array(createHash('sha256').update(body).digest()),
    bootedAt: null,
    listsAt: null,
    repositories: null,
    collectedAt: null,
  };
}
