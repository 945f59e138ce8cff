import { promisify } from 'node:util';
import zlib from 'node:zlib';
import { type NewUpload, newId } from '@plimsoll/db';
import type { HostId, UploadDoor, UploadId } from '@plimsoll/model';
import type { ApiServices } from '../context.ts';
import type { WholeBody } from '../http/byte-body.ts';

const gzip = promisify(zlib.gzip);
/** Storage is cheaper than the CPU of every upload. */
const compressionLevel = 2;

/** What an upload says of itself, besides its bytes. */
export type UploadFacts = Pick<NewUpload, 'payloadKind' | 'contentHash' | 'bootedAt' | 'listsAt'>;

/** Makes an upload durable and rings for parsing it. Null when the host is gone. */
export async function storeUpload(
  upload: {
    readonly hostId: HostId;
    readonly door: UploadDoor;
    readonly facts: UploadFacts;
    readonly body: WholeBody;
  },
  { stores, queue }: Pick<ApiServices, 'stores' | 'queue'>,
): Promise<UploadId | null> {
  const { hostId, door, facts, body } = upload;
  const id = newId<UploadId>();
  const stored = await stores.uploads.accept({
    id,
    hostId,
    door,
    body: body.gzip ?? (await gzip(body.bytes, { level: compressionLevel })),
    payloadKind: facts.payloadKind,
    contentHash: facts.contentHash,
    bootedAt: facts.bootedAt,
    listsAt: facts.listsAt,
  });
  if (!stored) return null;
  queue.ring('report-parse', { uploadId: id });
  return id;
}
