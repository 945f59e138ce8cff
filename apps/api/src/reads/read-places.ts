/** The places for large reads and their users. */
export interface ReadPlaces {
  /** Whether a user may take another place. */
  hasRoom(userId: string): boolean;
  /** Whether a user has reached the limit for one user. */
  isOwnLimit(userId: string): boolean;
  /** The number of places that a user has. */
  countOf(userId: string): number;
  /** Takes a place; call it only if `hasRoom`. Call the result once to give the place back. */
  take(userId: string): () => void;
}

/** Places, all free. `onLeft` is called after a place is given back. */
export function createReadPlaces(
  { atOnce, perUser }: { readonly atOnce: number; readonly perUser: number },
  onLeft: () => void,
): ReadPlaces {
  const taken = new Map<string, number>();
  let total = 0;
  const countOf = (userId: string) => taken.get(userId) ?? 0;
  const isOwnLimit = (userId: string) => countOf(userId) >= perUser;
  return {
    countOf,
    isOwnLimit,
    hasRoom: (userId) => total < atOnce && !isOwnLimit(userId),
    take(userId) {
      total += 1;
      taken.set(userId, countOf(userId) + 1);
      return () => {
        total -= 1;
        const left = countOf(userId) - 1;
        if (left > 0) taken.set(userId, left);
        else taken.delete(userId);
        onLeft();
      };
    },
  };
}
