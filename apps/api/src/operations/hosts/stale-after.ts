/** Hosts report about once a day: one missed run is not enough. */
const leastSeconds = 26 * 3600;

/** Seconds without a new report after which a host is stale: three times its interval, at least 26 hours. */
export function staleAfterSeconds(intervalSeconds: number): number {
  return Math.max(3 * intervalSeconds, leastSeconds);
}
