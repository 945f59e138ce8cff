/**
 * Counts the milliseconds in which the process serves its connections. While the process is busy with other work the
 * clock nearly stops, so that a client is not blamed for bytes that wait here to be read.
 */
export interface ServedClock {
  /** Milliseconds since the clock was made. Only `tick` advances it. */
  now(): number;
  /** Adds the time since the last tick, at most twice `tickMs`. */
  tick(): void;
}

/** A clock that starts at 0 and is ticked every `tickMs` milliseconds. */
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
