/** A host that reports at all reports once a day or so: one missed run is no news. */
const leastSeconds = 26 * 3600;

/** Without a new report for so many seconds a host is stale: three times its interval, 26 hours at least. */
export function staleAfterSeconds(intervalSeconds: number): number {
  return Math.max(3 * intervalSeconds, leastSeconds);
}
