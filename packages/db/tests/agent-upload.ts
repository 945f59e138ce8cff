import { createHash, randomBytes } from 'node:crypto';
import type { HostId, UploadId } from '@plimsoll/model';
import { type NewUpload, newId } from '../src/index.ts';

/** An upload by the agent of a host: of a text, or of a number of random bytes. */
export function agentUpload(hostId: HostId, content: string | number = 20): NewUpload {
  const body = typeof content === 'string' ? Buffer.from(content) : randomBytes(content);
  return {
    id: newId<UploadId>(),
    hostId,
    door: 'agent',
    payloadKind: 'protobuf',
    size: body.length,
    body,
    contentHash: new Uint8Array(createHash('sha256').update(body).digest()),
    bootedAt: null,
    listsAt: null,
    repositories: null,
    collectedAt: null,
  };
}
