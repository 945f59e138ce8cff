import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type NewAuditEvent, type NewUpload, newId, type UploadStore } from '@plimsoll/db';
import { type HostId, type UploadDoor, type UploadId, uploadCompressionLevel } from '@plimsoll/model';
import type { Bell, jobs } from '@plimsoll/queue';

const gzip = promisify(zlib.gzip);

/** Facts about an upload besides its bytes. */
export type UploadFacts = Pick<
  NewUpload,
  'payloadKind' | 'contentHash' | 'bootedAt' | 'listsAt' | 'repositories' | 'collectedAt'
>;

/** The bytes of an upload, as gzip if they were received so, with their uncompressed size. */
export type UploadBody =
  | { readonly bytes: Uint8Array }
  | { readonly gzip: Uint8Array; readonly size: number };

/** Dependencies of storing an upload. */
export interface IntakeServices {
  readonly uploads: Pick<UploadStore, 'accept' | 'confirmUnchanged'>;
  readonly bell: Pick<Bell<typeof jobs>, 'ring'>;
}

/**
 * Stores an upload and rings for parsing it. Returns null if the host does not exist. Throws `rate_limited` if the
 * host's allowance does not cover it.
 */
export async function storeUpload(
  upload: {
    readonly hostId: HostId;
    readonly door: UploadDoor;
    readonly facts: UploadFacts;
    readonly body: UploadBody;
    /** The audit event for an upload by a user. */
    readonly event?: NewAuditEvent;
  },
  { uploads, bell }: IntakeServices,
): Promise<UploadId | null> {
  const { hostId, door, facts, body } = upload;
  const id = newId<UploadId>();
  const newUpload = {
    id,
    hostId,
    door,
    body: 'gzip' in body ? body.gzip : await gzip(body.bytes, { level: uploadCompressionLevel }),
    size: 'gzip' in body ? body.size : body.bytes.length,
    payloadKind: facts.payloadKind,
    contentHash: facts.contentHash,
    bootedAt: facts.bootedAt,
    listsAt: facts.listsAt,
    repositories: facts.repositories,
    collectedAt: facts.collectedAt,
  };
  const stored = await uploads.accept(newUpload, upload.event);
  if (!stored) return null;
  bell.ring('report-parse', { uploadId: id });
  return id;
}
