import { AppError } from '@plimsoll/model';
import { soonSeconds, type UploadPot, type UploadRoom } from './upload-pot.ts';

/** Admits uploads so that no sender takes the memory and places that others need. */
export interface UploadGate {
  /**
   * Runs work on a sender's upload; the work takes room as it goes, and the room is freed when the work ends. Waits for
   * a place of the sender and throws what `SenderPlaces` and `UploadRoom` throw.
   */
  use<T>(sender: string, work: (room: UploadRoom) => Promise<T>, signal: AbortSignal): Promise<T>;
}

/** A gate that limits the memory for uploads and the places of their senders. */
export function createUploadGate(pot: UploadPot, places: SenderPlaces): UploadGate {
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

/** Limits on the concurrent uploads of one sender to one API process. */
export interface SenderPlaceLimits {
  /** Uploads read at a time. A connection that broke unnoticed may hold one. */
  readonly uploads: number;
  /** Uploads that wait unread for a place, and for how many milliseconds. */
  readonly waiting: number;
  readonly waitMs: number;
}

/** The limits in force. */
export const senderPlaceLimits: SenderPlaceLimits = { uploads: 2, waiting: 8, waitMs: 20_000 };

/** The places of all senders. */
export interface SenderPlaces {
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
export function createSenderPlaces(limits: SenderPlaceLimits = senderPlaceLimits): SenderPlaces {
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
