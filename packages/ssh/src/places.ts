/** A bounded number of places, for what only so many may do at the same time. */
export interface Places {
  /** Waits for one's turn, in order; the function gives the place back. Rejects with the signal's reason. */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/** Makes `places` places (1 or more). */
export function createPlaces(places: number): Places {
  if (!Number.isInteger(places) || places < 1) throw new RangeError('at least one place');
  let free = places;
  const waiting = new Set<() => void>();
  const giveBack = () => {
    const [next] = waiting;
    if (next === undefined) free += 1;
    else next();
  };
  const place = () => {
    let held = true;
    return () => {
      if (held) giveBack();
      held = false;
    };
  };
  return {
    async acquire(signal) {
      signal.throwIfAborted();
      if (free > 0) {
        free -= 1;
        return place();
      }
      return new Promise((resolve, reject) => {
        const turn = () => {
          leave();
          resolve(place());
        };
        const aborted = () => {
          leave();
          reject(signal.reason);
        };
        const leave = () => {
          waiting.delete(turn);
          signal.removeEventListener('abort', aborted);
        };
        waiting.add(turn);
        signal.addEventListener('abort', aborted, { once: true });
      });
    },
  };
}
