import type { UploadBody } from '@plimsoll/pipeline/intake';
import type { LargeBody, SmallBody } from '../http/byte-body.ts';
import { requireSnapshot } from './read-upload.ts';
import { type UnderstoodUpload, type UploadForm, understandUpload } from './understood-upload.ts';
import type { ReadInThread } from './upload-threads.ts';

/** An upload ready to be compared with the host's last one and stored. */
export interface UploadInHand {
  readonly understood: UnderstoodUpload;
  readonly stored: UploadBody;
  /**
   * Throws `invalid_protobuf` or `snapshot_invalid` unless the whole upload is valid. Free of cost if that was checked.
   */
  requireWhole(): void;
}

/** Parses a small upload on the event loop, only as far as needed to compare it. */
export async function understandSmall(
  form: UploadForm,
  { sent, encoding, bytes }: SmallBody,
  receivedAt: Date,
): Promise<UploadInHand> {
  const understood = await understandUpload(form, bytes, receivedAt);
  return {
    understood,
    stored:
      encoding === 'gzip' && sent.length < bytes.length ? { gzip: sent, size: bytes.length } : { bytes },
    requireWhole: () => {
      if (understood.payloadKind === 'protobuf') requireSnapshot(bytes, receivedAt);
    },
  };
}

/** Parses a large upload completely, in a thread. The body is empty afterwards. */
export async function understandLarge(
  form: UploadForm,
  body: LargeBody,
  receivedAt: Date,
  read: ReadInThread,
): Promise<UploadInHand> {
  const { encoding, size } = body;
  const { understood, gzip } = await read({ form, sent: body.takeSent(), encoding, receivedAt });
  return { understood, stored: { gzip, size }, requireWhole: () => undefined };
}
