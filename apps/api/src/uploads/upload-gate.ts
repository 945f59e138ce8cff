import { AppError } from '@plimsoll/model';

const mebibyte = 1024 * 1024;

/** Limits on the uploads in progress of one API process: their memory in bytes, and the places of each sender. */
export interface UploadLimits {
  /** For all uploads. */
  readonly bytes: number;
  /** For all large uploads. The rest is reserved for small ones. */
  readonly largeBytes: number;
  /** An upload that holds more than this is large. */
  readonly smallBytes: number;
  /** For one sender's uploads; fits one uncompressed upload of the largest size. */
  readonly bytesPerSender: number;
  /**
   * Number of one sender's uploads that are read at a time. A connection that broke unnoticed may hold one.
   */
  readonly uploads: number;
  /** Number of one sender's uploads that wait unread for a place, and the longest wait in milliseconds. */
  readonly waiting: number;
  readonly waitMs: number;
}

/** The limits in force. An ordinary report holds at most 1 MiB as sent and 1 MiB decompressed. */
const uploadLimits: UploadLimits = {
  bytes: 256 * mebibyte,
  largeBytes: 128 * mebibyte,
  smallBytes: 2 * mebibyte,
  bytesPerSender: 40 * mebibyte,
  uploads: 2,
  waiting: 8,
  waitMs: 20_000,
};

/** Admits uploads so that no sender takes the memory and places that others need. */
export interface UploadGate {
  /**
   * Runs work on a sender's upload; the work takes room as it goes, and the room is freed when the work ends. Waits for
   * a place of the sender and throws what `SenderPlaces` and `UploadRoom` throw.
   */
  use<T>(sender: string, work: (room: UploadRoom) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A gate with all memory and all places free. `changed` replaces limits that are in force otherwise. */
export function createUploadGate(changed: Partial<UploadLimits> = {}): UploadGate {
  const limits = { ...uploadLimits, ...changed };
  const pot = createUploadPot(limits);
  const places = createSenderPlaces(limits);
  return {
    async use(sender, work, signal) {
      const leavePlace = await places.enter(sender, signal);
      const room = pot.open(sender);
      try {
        return await work(room);
      } finally {
        room.leave();
        leavePlace();
      }
    },
  };
}

/** The places of all senders. */
interface SenderPlaces {
  /**
   * Takes a place of a sender; call the result to pass it to the upload that waits longest. Waits if none is free.
   * Throws `rate_limited` if too many wait or this one waited too long, and the signal's reason when it aborts.
   */
  enter(sender: string, signal: AbortSignal): Promise<() => void>;
}

interface Sender {
  uploads: number;
  readonly waiting: (() => void)[];
}

/** Places, all free. */
function createSenderPlaces(limits: UploadLimits): SenderPlaces {
  const senders = new Map<string, Sender>();
  return {
    async enter(key, signal) {
      const sender = senders.get(key) ?? { uploads: 0, waiting: [] };
      senders.set(key, sender);
      if (sender.uploads >= limits.uploads || sender.waiting.length > 0) {
        if (sender.waiting.length >= limits.waiting) throw tooMany();
        await waitForPlace(sender, limits.waitMs, signal);
      } else sender.uploads += 1;
      return () => {
        sender.uploads -= 1;
        sender.waiting.shift()?.();
        if (sender.uploads === 0 && sender.waiting.length === 0) senders.delete(key);
      };
    },
  };
}

/** Waits until a place is handed over. */
function waitForPlace(sender: Sender, waitMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
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
    const timer = setTimeout(() => giveUp(tooMany()), waitMs);
    signal.addEventListener('abort', onAbort, { once: true });
    sender.waiting.push(proceed);
    if (signal.aborted) onAbort();
  });
}

function tooMany(): AppError {
  return new AppError(
    'rate_limited',
    'The host has too many uploads under way. Send the newest report later.',
    { retryAfterSeconds: soonSeconds() },
  );
}

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
interface UploadPot {
  /** Room for another upload of a sender, initially empty. */
  open(sender: string): UploadRoom;
}

/** A pot with all memory free. */
function createUploadPot(limits: UploadLimits): UploadPot {
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
 * When a refused sender may retry: after 10 to 20 seconds, at random so that senders refused together do not
 * return together.
 */
function soonSeconds(): number {
  return 10 + Math.round(Math.random() * 10);
}
