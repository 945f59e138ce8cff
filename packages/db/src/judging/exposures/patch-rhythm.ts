/** How often a host installs updates, as learned from the past. Times are in milliseconds since 1970. */
export interface LearnedRhythm {
  /** Rounds of updates in the year that ends with the last one. Changes on days in a row are one round. */
  readonly rounds: number;
  /** The last day of the last round; null: no round. */
  readonly lastAt: number | null;
  /** Days between the starts of two rounds in a row; null: too few rounds to say. */
  readonly usual: { readonly medianDays: number; readonly longestDays: number } | null;
  /** After this time, the host is overdue; null: too few rounds to say. */
  readonly overdueAt: number | null;
}

/** One day, in milliseconds. */
export const dayMs = 24 * 60 * 60_000;
const yearMs = 365 * dayMs;
/** Fewer intervals between rounds are no rhythm. */
export const leastIntervals = 5;
/** A host is overdue after this many times its median interval … */
const medians = 2;
/** … and never before its longest interval, or this many days. */
const leastDays = 7;

/** Those of ascending days that are in the year that ends with the last of them. */
export function lastYearOf(days: readonly number[]): readonly number[] {
  const start = (days.at(-1) ?? 0) - yearMs;
  return days.filter((day) => day > start);
}

/**
 * Learns the rhythm of a host from the days on which packages changed version, of those in the year that ends with the
 * last of them: so the rhythm of a host that stopped is not forgotten. A host is overdue once it has been without a round for twice its median
 * interval, for longer than its longest interval, and for a week.
 * @param days starts of days in UTC, ascending, each once.
 */
export function learnRhythm(days: readonly number[]): LearnedRhythm {
  const starts: number[] = [];
  let last: number | null = null;
  for (const day of lastYearOf(days)) {
    if (last === null || day - last > dayMs) starts.push(day);
    last = day;
  }
  const intervals = starts.slice(1).map((start, n) => (start - (starts[n] ?? start)) / dayMs);
  if (last === null || intervals.length < leastIntervals)
    return { rounds: starts.length, lastAt: last, usual: null, overdueAt: null };
  const sorted = intervals.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? 0;
  const medianDays = sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? 0) + upper) / 2;
  const longestDays = sorted.at(-1) ?? 0;
  const allowed = Math.max(medians * medianDays, longestDays, leastDays);
  // The day of the last change counts as a whole.
  return {
    rounds: starts.length,
    lastAt: last,
    usual: { medianDays, longestDays },
    overdueAt: last + (allowed + 1) * dayMs,
  };
}
