/** A read that has a place. */
export interface HeldRead {
  /** For how long its answer has waited for its client so far, in milliseconds. */
  delayedMs(): number;
  /** Breaks the answer off; its place is given back soon after. */
  cut(): void;
}

/** The places for large reads and their users. */
export interface ReadPlaces {
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
export function createReadPlaces(
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
