import { AppError } from '@plimsoll/model';

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
  const running = new Map<string, number>();
  let total = 0;
  let queue: readonly Waiting[] = [];
  const runningOf = (userId: string) => running.get(userId) ?? 0;

  function take(userId: string): () => void {
    total += 1;
    running.set(userId, runningOf(userId) + 1);
    return () => {
      total -= 1;
      const left = runningOf(userId) - 1;
      if (left > 0) running.set(userId, left);
      else running.delete(userId);
      admitNext();
    };
  }

  function admitNext(): void {
    while (total < limits.atOnce) {
      const able = queue.filter(({ userId }) => runningOf(userId) < limits.perUser);
      const [first, ...others] = able;
      if (first === undefined) return;
      const next = others.reduce((a, b) => (runningOf(b.userId) < runningOf(a.userId) ? b : a), first);
      queue = queue.filter((entry) => entry !== next);
      next.admit();
    }
  }

  function requireRoom(userId: string): void {
    const own = queue.filter((entry) => entry.userId === userId).length;
    if (own >= limits.waitingPerUser) throw tooManyOfUser();
    if (queue.length >= limits.waiting) throw tooManyOfAll();
  }

  return {
    async enter(userId, signal) {
      signal.throwIfAborted();
      if (total < limits.atOnce && runningOf(userId) < limits.perUser) return take(userId);
      requireRoom(userId);
      return new Promise((resolve, reject) => {
        const giveUp = (error: unknown) => {
          settle();
          queue = queue.filter((other) => other !== entry);
          reject(error);
        };
        const onAbort = () => giveUp(signal.reason);
        const timer = setTimeout(() => {
          giveUp(runningOf(userId) >= limits.perUser ? tooManyOfUser() : tooManyOfAll());
        }, limits.waitMs);
        const settle = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', onAbort);
        };
        const entry: Waiting = {
          userId,
          admit() {
            settle();
            resolve(take(userId));
          },
        };
        signal.addEventListener('abort', onAbort);
        queue = [...queue, entry];
      });
    },
  };
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
