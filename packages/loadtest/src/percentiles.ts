/** The p50, the p99 and the longest of some durations, in whole milliseconds. */
export interface Percentiles {
  readonly count: number;
  readonly p50: number | null;
  readonly p99: number | null;
  readonly longest: number | null;
}

/** The percentiles of durations in milliseconds; null without durations. */
export function percentilesOf(durations: readonly number[]): Percentiles {
  const at = (share: number) => (durations.length === 0 ? null : longestOf(durations, share));
  return { count: durations.length, p50: at(0.5), p99: at(0.99), longest: at(1) };
}

/** The longest duration of the fastest `share` of all, in whole milliseconds; NaN without durations. */
export function longestOf(durations: readonly number[], share: number): number {
  const sorted = durations.toSorted((a, b) => a - b);
  return Math.round(sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN);
}
