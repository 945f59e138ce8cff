/**
 * SQL: whether a stored time to wait for has come. A time further ahead than `longest` (an interval, longer than any wait that is
 * stored in the column) was written while the clock was ahead: it has come, too, so that nothing waits until the clock is there again.
 */
export function hasCome(time: string, longest: string): string {
  return `(${time} <= now() OR ${time} > now() + interval '${longest}')`;
}
