import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type NewAuditEvent, type NewUpload, newId, type UploadStore } from '@plimsoll/db';
import { type HostId, type UploadDoor, type UploadId, uploadCompressionLevel } from '@plimsoll/model';
import type { Bell, jobs } from '@plimsoll/queue';

const gzip = promisify(zlib.gzip);

/** What an upload says of itself, besides its bytes. */
export type UploadFacts = Pick<
  NewUpload,
  'payloadKind' | 'contentHash' | 'bootedAt' | 'listsAt' | 'repositories' | 'collectedAt'
>;

/** The bytes of an upload, or as gzip where they came so, with their size before compression. */
export type UploadBody =
  | { readonly bytes: Uint8Array }
  | { readonly gzip: Uint8Array; readonly size: number };

/** What taking an upload works with. */
export interface IntakeServices {
  readonly uploads: Pick<UploadStore, 'accept' | 'confirmUnchanged'>;
  readonly bell: Pick<Bell<typeof jobs>, 'ring'>;
}

/**
 * Makes an upload durable and rings for parsing it. Null when the host is gone. Throws `rate_limited` where the host's
 * allowance is too small for it.
 */
export async function storeUpload(
  upload: {
    readonly hostId: HostId;
    readonly door: UploadDoor;
    readonly facts: UploadFacts;
    readonly body: UploadBody;
    /** What the audit log says of it, where a person brought it. */
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
