/** The p50, the p99 and the longest of durations in milliseconds; infinite ones are requests that failed. */
export function percentiles(durations: readonly number[]): string {
  return `p50 ${longestOf(durations, 0.5)} p99 ${longestOf(durations, 0.99)} most ${longestOf(durations, 1)} ms`;
}

/** The longest duration of the fastest `share` of all, in whole milliseconds; NaN without durations. */
export function longestOf(durations: readonly number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN);
}
