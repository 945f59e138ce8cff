import type { UploadBody } from '@plimsoll/pipeline/intake';
import type { ByteBody, LargeBody, SmallBody } from '../http/byte-body.ts';
import { requireSnapshot, type UnderstoodUpload, type UploadForm, understandUpload } from './read-upload.ts';
import type { UploadGate } from './upload-gate.ts';
import type { ReadInThread, UploadThreads } from './upload-threads.ts';

/** An upload whose body is arriving. */
export interface IncomingUpload {
  /** The door and host under which its memory and place are counted. */
  readonly sender: string;
  readonly form: UploadForm;
  readonly body: ByteBody;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/** An upload ready to be compared with the host's last one and stored. */
export interface UploadInHand {
  readonly understood: UnderstoodUpload;
  readonly stored: UploadBody;
  /**
   * Throws `invalid_protobuf` or `snapshot_invalid` unless the whole upload is valid. Free of cost if that was checked.
   */
  requireWhole(): void;
}

/** What receives uploads. */
export interface UploadReceiver {
  readonly uploadGate: UploadGate;
  readonly uploadThreads: UploadThreads;
  clock(): Date;
}

/**
 * Receives and parses an upload and stores it with `store`. A limited number of large ones are parsed and stored at a
 * time, the smallest first, because each then takes several times its size in memory. Throws what the gate, the body,
 * the parser and `store` throw.
 */
export function receiveUpload<T>(
  { sender, form, body, signal }: IncomingUpload,
  { uploadGate, uploadThreads, clock }: UploadReceiver,
  store: (upload: UploadInHand) => Promise<T>,
): Promise<T> {
  return uploadGate.use(
    sender,
    async (room) => {
      const whole = await body.whole(room);
      const receivedAt = clock();
      if (whole.kind === 'small') return store(await understandSmall(form, whole, receivedAt));
      return uploadThreads.turn(whole.size, async (read) =>
        store(await understandLarge(form, whole, receivedAt, read)),
      );
    },
    signal,
  );
}

/** Parses a small upload on the event loop, only as far as needed to compare it. */
async function understandSmall(
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
async function understandLarge(
  form: UploadForm,
  body: LargeBody,
  receivedAt: Date,
  read: ReadInThread,
): Promise<UploadInHand> {
  const { encoding, size } = body;
  const { understood, gzip } = await read({ form, sent: body.takeSent(), encoding, receivedAt });
  return { understood, stored: { gzip, size }, requireWhole: () => undefined };
}
