import { AppError } from '@plimsoll/model';
import { createReadPlaces, type ReadPlaces } from './read-places.ts';

/** How many reads that cost much run at a time, and how many wait. */
export interface LargeReadLimits {
  /** Of all users together. */
  readonly atOnce: number;
  readonly perUser: number;
  readonly waiting: number;
  readonly waitingPerUser: number;
  /** How long a read waits, in milliseconds. */
  readonly waitMs: number;
}

/** What applies to waiting in any installation. The dashboard sends a page's requests together, six at most. */
export const largeReadWaiting = { waiting: 256, waitingPerUser: 24, waitMs: 15_000 };

/** Lets reads that cost much run a few at a time, and none of one user keep the others out. */
export interface LargeReads {
  /**
   * Waits for a place; the caller gives it back, once, by calling the result. Users who have the fewest places come
   * first, then those who came first. Throws `rate_limited` for too many reads of one user, `unavailable` for too many of
   * all, and the signal's reason when it is aborted.
   */
  enter(userId: string, signal: AbortSignal): Promise<() => void>;
}

interface Waiting {
  readonly userId: string;
  readonly admit: () => void;
}

const retrySeconds = 5;

/** A limiter with every place free. */
export function createLargeReads(limits: LargeReadLimits): LargeReads {
  let queue: readonly Waiting[] = [];
  const places = createReadPlaces(limits, () => {
    for (let next = nextOf(queue, places); next !== null; next = nextOf(queue, places)) next.admit();
  });
  const whoseFault = (userId: string) => (places.isOwnLimit(userId) ? tooManyOfUser() : tooManyOfAll());
  return {
    async enter(userId, signal) {
      signal.throwIfAborted();
      if (places.hasRoom(userId)) return places.take(userId);
      const own = queue.filter((entry) => entry.userId === userId).length;
      if (own >= limits.waitingPerUser) throw tooManyOfUser();
      if (queue.length >= limits.waiting) throw tooManyOfAll();
      return new Promise((resolve, reject) => {
        const settle = (result: () => void) => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
          queue = queue.filter((other) => other !== entry);
          result();
        };
        const onAbort = () => settle(() => reject(signal.reason));
        const timer = setTimeout(() => settle(() => reject(whoseFault(userId))), limits.waitMs);
        const entry: Waiting = { userId, admit: () => settle(() => resolve(places.take(userId))) };
        signal.addEventListener('abort', onAbort);
        queue = [...queue, entry];
      });
    },
  };
}

/** The read that gets the next place: of those whose users may have one, the first of a user with the fewest; null: none. */
function nextOf(queue: readonly Waiting[], places: ReadPlaces): Waiting | null {
  const [first, ...others] = queue.filter(({ userId }) => places.hasRoom(userId));
  if (first === undefined) return null;
  return others.reduce((a, b) => (places.countOf(b.userId) < places.countOf(a.userId) ? b : a), first);
}

function tooManyOfUser(): AppError {
  return new AppError(
    'rate_limited',
    'Too many large reads of this user at the same time. Try again later.',
    {
      retryAfterSeconds: retrySeconds,
    },
  );
}

function tooManyOfAll(): AppError {
  return new AppError('unavailable', 'Too many large reads at the same time. Try again later.', {
    retryAfterSeconds: retrySeconds,
  });
}
