/** Seconds before the second, third … attempt; then hourly. */
const waits = [10, 30, 60, 120, 300, 600, 900, 1800];
const longestSeconds = 3_600;
/** Deliveries are given up this long after they were due. */
const lifetimeSeconds = 24 * 3_600;

/**
 * Seconds until the next attempt of a delivery, with up to a tenth of jitter; null: it is given up. A server that named a
 * time is not asked earlier, unless it named more than an hour.
 * @param attempt the number of the attempt that failed, from 1 on
 * @param random from 0 to 1
 */
export function retrySeconds(
  {
    attempt,
    dueAt,
    now,
    askedSeconds,
  }: {
    readonly attempt: number;
    readonly dueAt: Date;
    readonly now: Date;
    readonly askedSeconds: number | null;
  },
  random: number,
): number | null {
  const wait = waits[attempt - 1] ?? longestSeconds;
  const seconds = Math.max(wait * (1 + random / 10), Math.min(askedSeconds ?? 0, longestSeconds));
  const age = (now.getTime() - dueAt.getTime()) / 1_000;
  return age + seconds > lifetimeSeconds ? null : seconds;
}
