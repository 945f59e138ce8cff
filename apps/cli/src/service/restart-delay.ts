/**
 * How long to wait before an app is started again that has ended `failures` times in a row, in milliseconds: half a
 * second, then twice as long each time, five seconds at most: what it should be doing waits meanwhile.
 */
export function restartDelayMs(failures: number): number {
  return Math.min(500 * 2 ** Math.max(0, failures - 1), 5_000);
}
