import { AppError } from '@plimsoll/model';

const mebibyte = 1024 * 1024;

/** Limits on the memory for uploads in progress of one API process, in bytes. */
export interface UploadPotLimits {
  /** For all uploads. */
  readonly bytes: number;
  /** For all large uploads. The rest is reserved for small ones. */
  readonly largeBytes: number;
  /** An upload that holds more than this is large. */
  readonly smallBytes: number;
  /** For one sender's uploads: fits one uncompressed upload of the largest size. */
  readonly bytesPerSender: number;
}

/** The limits in force. An ordinary report holds at most 1 MiB as sent and 1 MiB decompressed. */
export const uploadPotLimits: UploadPotLimits = {
  bytes: 256 * mebibyte,
  largeBytes: 128 * mebibyte,
  smallBytes: 2 * mebibyte,
  bytesPerSender: 40 * mebibyte,
};

/** The memory held by one upload. */
export interface UploadRoom {
  /**
   * Refuses an upload of this size if it would not fit now, as `take` does. Reserves nothing: a sender that only
   * announces bytes must not block others.
   */
  expect(bytes: number): void;
  /**
   * Takes more bytes. Throws `unavailable` if all uploads, or all large ones, hold too much, and `rate_limited` if the
   * uploads of this sender do; takes nothing then.
   */
  take(bytes: number): void;
  /** Gives all bytes back. */
  leave(): void;
}

/** The memory shared by all uploads of a process. */
export interface UploadPot {
  /** Room for another upload of a sender, initially empty. */
  open(sender: string): UploadRoom;
}

/** A pot with all memory free. */
export function createUploadPot(limits: UploadPotLimits = uploadPotLimits): UploadPot {
  const senders = new Map<string, number>();
  let all = 0;
  let large = 0;

  return {
    open(sender) {
      let mine = 0;
      const largePart = (bytes: number) => (bytes > limits.smallBytes ? bytes : 0);
      const requireFree = (more: number) => {
        const ofSender = (senders.get(sender) ?? 0) + more;
        if (ofSender > limits.bytesPerSender) throw sendsTooMuch();
        const ofLarge = large - largePart(mine) + largePart(mine + more);
        const isFull =
          all + more > limits.bytes || (mine + more > limits.smallBytes && ofLarge > limits.largeBytes);
        if (isFull) throw full();
      };
      const hold = (bytes: number) => {
        all += bytes - mine;
        large += largePart(bytes) - largePart(mine);
        const ofSender = (senders.get(sender) ?? 0) + bytes - mine;
        if (ofSender === 0) senders.delete(sender);
        else senders.set(sender, ofSender);
        mine = bytes;
      };
      return {
        expect: requireFree,
        take(bytes) {
          requireFree(bytes);
          hold(mine + bytes);
        },
        leave: () => hold(0),
      };
    },
  };
}

function sendsTooMuch(): AppError {
  return new AppError('rate_limited', 'The host sends too much at once. Send the newest report later.', {
    retryAfterSeconds: soonSeconds(),
  });
}

function full(): AppError {
  return new AppError('unavailable', 'Too many large uploads at once. Try again later.', {
    retryAfterSeconds: soonSeconds(),
  });
}

/**
 * When a refused sender may retry: 10 to 20 seconds, random so that senders refused together do not return together.
 */
export function soonSeconds(): number {
  return 10 + Math.round(Math.random() * 10);
}
