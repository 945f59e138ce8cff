/** A stored time further ahead than this, in milliseconds, was written by a wrong clock. SQL: `latestTime` of packages/db. */
export const clockAheadMs = 24 * 60 * 60 * 1000;

/** Whether a wrong clock wrote a time, in milliseconds since 1970: how long ago that was is not known. */
export function isOfWrongClock(at: number, now: number): boolean {
  return at - now > clockAheadMs;
}
