import pLimit from 'p-limit';
import { orAborted } from './deadline.ts';

/** A limited number of places, for work with limited concurrency. */
export interface Places {
  /**
   * Waits for a place, first come, first served. Returns the function that gives it back; further calls of that do
   * nothing. Rejects with the signal's reason when that aborts first.
   */
  acquire(signal: AbortSignal): Promise<() => void>;
}

/** Makes `places` places. Throws for fewer than one. */
export function createPlaces(places: number): Places {
  const limit = pLimit(places);
  return {
    async acquire(signal) {
      signal.throwIfAborted();
      const turn = new Promise<() => void>((resolve) => {
        void limit(() => new Promise<void>((giveBack) => resolve(giveBack)));
      });
      try {
        return await orAborted(signal, turn);
      } catch (error) {
        // The turn still comes, and holds the place until it is given back.
        void turn.then((giveBack) => giveBack());
        throw error;
      }
    },
  };
}
