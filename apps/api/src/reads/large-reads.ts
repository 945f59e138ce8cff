import { AppError } from '@plimsoll/model';

/** Limits on concurrent and waiting expensive reads. */
export interface LargeReadLimits {
  /** For all users together. */
  readonly atOnce: number;
  readonly perUser: number;
  readonly waiting: number;
  readonly waitingPerUser: number;
  /** Longest wait of a read, in milliseconds. */
  readonly waitMs: number;
  /** A client may delay its answer for this time while a user without a place waits, in milliseconds. */
  readonly patienceMs: number;
}

/** The limits on waiting, for every installation. The dashboard sends the requests of a page together, at most six. */
export const largeReadWaiting = { waiting: 256, waitingPerUser: 24, waitMs: 15_000, patienceMs: 5_000 };

/** Limits concurrent expensive reads, so that one user's reads do not keep out the others. */
export interface LargeReads {
  /**
   * Waits for a place; the caller gives it back by calling the result once. Users with the fewest places come first,
   * then in order of arrival. Throws `rate_limited` for too many reads of one user, `unavailable` for too many in
   * total, and the signal's reason when it aborts. While users without a place wait, reads whose clients delay them
   * are cut.
   */
  enter(userId: string, signal: AbortSignal, read: HeldRead): Promise<() => void>;
}

interface Waiting {
  readonly userId: string;
  readonly admit: () => void;
}

const retrySeconds = 5;
/** Interval of looking for delayed reads while others wait, in milliseconds. */
const lookMs = 500;

/** A limiter with all places free. */
export function createLargeReads(limits: LargeReadLimits): LargeReads {
  let queue: readonly Waiting[] = [];
  const places = createReadPlaces(limits, () => {
    for (let next = nextOf(queue, places); next !== null; next = nextOf(queue, places)) next.admit();
  });
  let looking: NodeJS.Timeout | null = null;
  const look = (): void => {
    const newcomers = new Set(queue.map(({ userId }) => userId).filter((id) => places.countOf(id) === 0));
    places.makeRoom(newcomers.size);
    if (looking !== null) clearTimeout(looking);
    looking = queue.length === 0 ? null : setTimeout(look, lookMs).unref();
  };
  const whoseFault = (userId: string) => (places.isOwnLimit(userId) ? tooManyOfUser() : tooManyOfAll());
  return {
    async enter(userId, signal, read) {
      signal.throwIfAborted();
      if (places.hasRoom(userId)) return places.take(userId, read);
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
        const entry: Waiting = { userId, admit: () => settle(() => resolve(places.take(userId, read))) };
        signal.addEventListener('abort', onAbort);
        queue = [...queue, entry];
        look();
      });
    },
  };
}

/**
 * The read that gets the next place: among users below their limit, the first read of a user with the fewest
 * places; null without one.
 */
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

/** A read that has a place. */
export interface HeldRead {
  /** For how long its answer has waited for its client so far, in milliseconds. */
  delayedMs(): number;
  /** Breaks the answer off; its place is given back soon after. */
  cut(): void;
}

/** The places for large reads and their users. */
interface ReadPlaces {
  /** Whether a user may take another place. */
  hasRoom(userId: string): boolean;
  /** Whether a user has reached the limit for one user. */
  isOwnLimit(userId: string): boolean;
  /** The number of places that a user has. */
  countOf(userId: string): number;
  /** Takes a place; call it only if `hasRoom`. Call the result once to give the place back. */
  take(userId: string, read: HeldRead): () => void;
  /**
   * Makes sure that `count` places become free while clients delay their answers: cuts reads that are delayed for
   * `patienceMs`, first of the user with the most places, then the longest delayed.
   */
  makeRoom(count: number): void;
}

interface Held {
  readonly userId: string;
  readonly read: HeldRead;
  isCut: boolean;
}

/** Places, all free. `onLeft` is called after a place is given back. */
function createReadPlaces(
  limits: { readonly atOnce: number; readonly perUser: number; readonly patienceMs: number },
  onLeft: () => void,
): ReadPlaces {
  const { atOnce, perUser, patienceMs } = limits;
  const taken = new Set<Held>();
  const countOf = (userId: string) => [...taken].filter((held) => held.userId === userId).length;
  const isOwnLimit = (userId: string) => countOf(userId) >= perUser;
  return {
    countOf,
    isOwnLimit,
    hasRoom: (userId) => taken.size < atOnce && !isOwnLimit(userId),
    take(userId, read) {
      const held: Held = { userId, read, isCut: false };
      taken.add(held);
      return () => {
        taken.delete(held);
        onLeft();
      };
    },
    makeRoom(count) {
      const coming = atOnce - taken.size + [...taken].filter(({ isCut }) => isCut).length;
      for (let missing = count - coming; missing > 0; missing -= 1) {
        const slow = slowestOf(taken, patienceMs);
        if (slow === null) return;
        slow.isCut = true;
        slow.read.cut();
      }
    },
  };
}

/** The delayed read that is cut next; null if all clients read well. */
function slowestOf(taken: ReadonlySet<Held>, patienceMs: number): Held | null {
  const kept = [...taken].filter(({ isCut }) => !isCut);
  const placesOf = ({ userId }: Held) => kept.filter((held) => held.userId === userId).length;
  const slow = kept
    .filter(({ read }) => read.delayedMs() >= patienceMs)
    .sort((a, b) => placesOf(b) - placesOf(a) || b.read.delayedMs() - a.read.delayedMs());
  return slow[0] ?? null;
}
