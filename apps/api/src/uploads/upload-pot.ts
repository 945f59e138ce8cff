import { AppError } from '@plimsoll/model';
import { soonSeconds } from './come-back.ts';

const mebibyte = 1024 * 1024;

/** Bounds of one API process on the memory of uploads that are on their way, in bytes. */
export interface UploadPotLimits {
  /** Of all uploads. */
  readonly bytes: number;
  /** Of all large uploads. What is above it is kept for small ones. */
  readonly largeBytes: number;
  /** An upload that holds more than this is a large one. */
  readonly smallBytes: number;
  /** Of one sender's uploads: one of the largest size that comes without compression fits. */
  readonly bytesPerSender: number;
}

/** The bounds in force. An ordinary report holds 1 MiB as it was sent and 1 MiB decompressed at most. */
export const uploadPotLimits: UploadPotLimits = {
  bytes: 256 * mebibyte,
  largeBytes: 128 * mebibyte,
  smallBytes: 2 * mebibyte,
  bytesPerSender: 40 * mebibyte,
};

/** The memory that one upload holds. */
export interface UploadRoom {
  /**
   * Refuses an upload of so many bytes that would not fit now, as `take` does. Takes nothing: a sender that only announces
   * bytes keeps no other sender out.
   */
  expect(bytes: number): void;
  /**
   * Takes so many bytes more. Throws `unavailable` when all uploads, or all large ones, hold too much, and `rate_limited` when
   * the uploads of this sender do; takes nothing then.
   */
  take(bytes: number): void;
  /** Gives all bytes back. */
  leave(): void;
}

/** The memory that all uploads of a process share. */
export interface UploadPot {
  /** Room for one more upload of a sender, without a byte in it. */
  open(sender: string): UploadRoom;
}

/** A pot with everything free. */
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
