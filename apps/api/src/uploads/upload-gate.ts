import { AppError } from '@plimsoll/model';

const mebibyte = 1024 * 1024;

/** Bounds of one API process on uploads that are on their way. */
export interface UploadGateLimits {
  /** Bytes of all of them in memory. */
  readonly bytes: number;
  /** Bytes of one sender's: one upload of the largest size that comes without compression fits. */
  readonly bytesPerSender: number;
  /** Uploads of one sender that are read at a time. A connection that broke unnoticed may hold one. */
  readonly uploadsPerSender: number;
  /** Uploads of one sender that wait for those, unread, and for how long. */
  readonly waitingPerSender: number;
  readonly waitMs: number;
}

/** The bounds in force. */
export const uploadGateLimits: UploadGateLimits = {
  bytes: 256 * mebibyte,
  bytesPerSender: 40 * mebibyte,
  uploadsPerSender: 2,
  waitingPerSender: 8,
  waitMs: 20_000,
};

/** Reserves bytes that an upload holds. Throws `unavailable` when all uploads, `rate_limited` when its sender's hold too many. */
export type Reserve = (bytes: number) => void;

/** Lets uploads in, so that no sender holds what others need. */
export interface UploadGate {
  /**
   * Does some work on an upload of a sender, which reserves bytes as it goes; they are free again when it ends. Waits
   * while too many uploads of the sender are under way; throws `rate_limited` where too many wait already, or one waited
   * for too long. A signal that aborts ends the waiting with its reason.
   */
  use<T>(sender: string, work: (reserve: Reserve) => Promise<T>, signal: AbortSignal): Promise<T>;
}

interface Sender {
  bytes: number;
  uploads: number;
  readonly waiting: (() => void)[];
}

/** A gate with everything free. */
export function createUploadGate(limits: UploadGateLimits = uploadGateLimits): UploadGate {
  const senders = new Map<string, Sender>();
  let used = 0;

  const leave = (key: string, sender: Sender): void => {
    sender.uploads -= 1;
    sender.waiting.shift()?.();
    if (sender.uploads === 0 && sender.waiting.length === 0) senders.delete(key);
  };

  return {
    async use(key, work, signal) {
      const sender = senders.get(key) ?? { bytes: 0, uploads: 0, waiting: [] };
      senders.set(key, sender);
      await enter(sender, limits, signal);
      let mine = 0;
      try {
        return await work((bytes) => {
          if (sender.bytes + bytes > limits.bytesPerSender) throw tooMany('sends too much at once');
          if (used + bytes > limits.bytes) {
            throw new AppError('unavailable', 'Too many large uploads at once. Try again later.', {
              retryAfterSeconds: soon(),
            });
          }
          used += bytes;
          sender.bytes += bytes;
          mine += bytes;
        });
      } finally {
        used -= mine;
        sender.bytes -= mine;
        leave(key, sender);
      }
    },
  };
}

/** Waits for a place and takes it. A place that becomes free is handed to the one that waits longest. */
async function enter(sender: Sender, limits: UploadGateLimits, signal: AbortSignal): Promise<void> {
  if (sender.uploads < limits.uploadsPerSender && sender.waiting.length === 0) {
    sender.uploads += 1;
    return;
  }
  if (sender.waiting.length >= limits.waitingPerSender) throw tooMany('has too many uploads under way');
  await new Promise<void>((resolve, reject) => {
    const end = (settle: () => void) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
      settle();
    };
    const giveUp = (reason: unknown) => {
      const place = sender.waiting.indexOf(proceed);
      if (place >= 0) sender.waiting.splice(place, 1);
      end(() => reject(reason));
    };
    const onAbort = () => giveUp(signal.reason);
    const proceed = () => {
      sender.uploads += 1;
      end(resolve);
    };
    const timer = setTimeout(() => giveUp(tooMany('has too many uploads under way')), limits.waitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    sender.waiting.push(proceed);
    if (signal.aborted) onAbort();
  });
}

function tooMany(what: string): AppError {
  return new AppError('rate_limited', `The host ${what}. Send the newest report later.`, {
    retryAfterSeconds: soon(),
  });
}

/** In 10 to 20 seconds, so that those who are refused together do not come back together. */
function soon(): number {
  return 10 + Math.round(Math.random() * 10);
}
