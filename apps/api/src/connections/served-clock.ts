/**
 * Counts milliseconds in which the process looks after its connections. While it is busy with something else the clock
 * nearly stops, so that a client is not blamed for bytes that wait here to be read.
 */
export interface ServedClock {
  /** Milliseconds since the clock was made. Moves with `tick` alone. */
  now(): number;
  /** Adds the time since the last tick, twice `tickMs` at most. */
  tick(): void;
}

/** A clock at 0 that is ticked every `tickMs` milliseconds. */
export function createServedClock(tickMs: number): ServedClock {
  let served = 0;
  let last = performance.now();
  return {
    now: () => served,
    tick() {
      const now = performance.now();
      served += Math.min(now - last, 2 * tickMs);
      last = now;
    },
  };
}
