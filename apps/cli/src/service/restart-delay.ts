/**
 * The delay before an app that has ended `failures` times in a row is restarted, in milliseconds: half a second,
 * doubling each time, at most five seconds, because its work waits meanwhile.
 */
export function restartDelayMs(failures: number): number {
  return Math.min(500 * 2 ** Math.max(0, failures - 1), 5_000);
}
