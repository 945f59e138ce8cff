import { clockAheadMs } from '@plimsoll/model';

/** SQL: the latest time that a right clock may have written (`isOfWrongClock`). */
export const latestTime = `(now() + interval '${clockAheadMs} milliseconds')`;

/**
 * SQL: whether a stored time to wait for has come. A time further ahead than `longest` (an interval, longer than any wait that is
 * stored in the column; null: than `latestTime`) was written while the clock was ahead: it has come, too, so that nothing waits
 * until the clock is there again.
 */
export function hasCome(time: string, longest: string | null = null): string {
  return `(${time} <= now() OR ${time} > ${longest === null ? latestTime : `now() + interval '${longest}'`})`;
}
