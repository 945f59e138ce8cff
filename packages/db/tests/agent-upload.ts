import { createHash, randomBytes } from 'node:crypto';
import type { HostId, UploadId } from '@plimsoll/model';
import { createUploadStore, type Database, type NewUpload, newId } from '../src/index.ts';

/** An upload by the agent of a host: of a text, or of a number of random bytes. */
export function agentUpload(
  hostId: HostId,
  content: string | number = 20,
  changes: Partial<NewUpload> = {},
): NewUpload {
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
    ...changes,
  };
}

/** Accepts an upload of a host with unique content, by the agent unless `changes` say otherwise. */
export async function receive(
  db: Database,
  hostId: HostId,
  changes: Partial<NewUpload> = {},
): Promise<UploadId> {
  const upload = agentUpload(hostId, undefined, changes);
  if (!(await createUploadStore(db).accept(upload))) throw new Error('the host was deleted');
  return upload.id;
}
