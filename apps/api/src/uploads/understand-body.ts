import type { UploadBody } from '@plimsoll/pipeline/intake';
import { requireSnapshot } from '../agent/read-upload.ts';
import type { WholeBody } from '../http/byte-body.ts';
import { type UnderstoodUpload, type UploadForm, understandUpload } from './understood-upload.ts';
import type { UploadThreads } from './upload-threads.ts';

/** An upload that can be compared with the host's last one, and stored. */
export interface UploadInHand {
  readonly understood: UnderstoodUpload;
  readonly stored: UploadBody;
  /** Throws `invalid_protobuf` or `snapshot_invalid` unless all of it is right. Costs nothing where that is known. */
  requireWhole(): void;
}

/** Understands an upload: a small one here and no further than it takes, a large one, all of it, in a thread. */
export async function understandBody(
  form: UploadForm,
  { sent, encoding, size, bytes }: WholeBody,
  receivedAt: Date,
  threads: UploadThreads,
): Promise<UploadInHand> {
  if (bytes === null) {
    const { understood, gzip } = await threads.read({ form, sent, encoding, receivedAt });
    return { understood, stored: { gzip: gzip ?? sent, size }, requireWhole: () => undefined };
  }
  const understood = await understandUpload(form, bytes, receivedAt);
  return {
    understood,
    stored: encoding === 'gzip' && sent.length < size ? { gzip: sent, size } : { bytes },
    requireWhole: () => {
      if (understood.payloadKind === 'protobuf') requireSnapshot(bytes, receivedAt);
    },
  };
}
