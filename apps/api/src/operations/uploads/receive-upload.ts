import type { ApiServices } from '../../context.ts';
import type { ByteBody } from '../../http/byte-body.ts';
import { type UploadInHand, understandLarge, understandSmall } from '../../uploads/understand-body.ts';
import type { UploadForm } from '../../uploads/understood-upload.ts';

/** An upload that has begun to come. */
export interface IncomingUpload {
  /** The door and host that its memory and place are counted under. */
  readonly sender: string;
  readonly form: UploadForm;
  readonly body: ByteBody;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

/**
 * Receives and understands an upload, and stores it with `store`. Large ones are understood and stored a few at a time, the
 * smallest first: each then has several times its size in memory. Throws what the gate, the body, the reading and `store`
 * throw.
 */
export function receiveUpload<T>(
  { sender, form, body, signal }: IncomingUpload,
  { uploadGate, uploadThreads, clock }: Pick<ApiServices, 'uploadGate' | 'uploadThreads' | 'clock'>,
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
