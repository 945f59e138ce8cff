import type { ApiServices } from '../../context.ts';
import type { ByteBody } from '../../http/byte-body.ts';
import { type UploadInHand, understandLarge, understandSmall } from '../../uploads/understand-body.ts';
import type { UploadForm } from '../../uploads/understood-upload.ts';

/** An upload whose body is arriving. */
export interface IncomingUpload {
  /** The door and host under which its memory and place are counted. */
  readonly sender: string;
  readonly form: UploadForm;
  readonly body: ByteBody;
  /** Aborted when the client has disconnected. */
  readonly signal: AbortSignal;
}

/**
 * Receives and parses an upload and stores it with `store`. A limited number of large ones are parsed and stored at a
 * time, the smallest first, because each then takes several times its size in memory. Throws what the gate, the body,
 * the parser and `store` throw.
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
