import { longestOf } from '@plimsoll/loadtest';

/** The p50, the p99 and the longest of durations in milliseconds; infinite ones are requests that failed. */
export function percentiles(durations: readonly number[]): string {
  return `p50 ${longestOf(durations, 0.5)} p99 ${longestOf(durations, 0.99)} most ${longestOf(durations, 1)} ms`;
}
