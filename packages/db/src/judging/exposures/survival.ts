import type { HourCounts } from './hour-counts.ts';

/** How many exposures are still open after some days. */
export interface SurvivalPoint {
  readonly days: number;
  /** The estimated share that is open for longer, 0 to 1. */
  readonly openShare: number;
  /** The number of exposures that were observed for longer: how much the share rests on. */
  readonly atRisk: number;
}

/** The days of a curve: each day of the first three months, then each week of a year. */
const curveDays: readonly number[] = [
  ...Array.from({ length: 91 }, (_, day) => day),
  ...Array.from({ length: 39 }, (_, week) => 97 + 7 * week),
];
const hoursPerDay = 24;

/**
 * The estimate of Kaplan and Meier (1958): closed exposures by the hours that they took, and open ones as censored at
 * their age. Ends where nothing was observed for longer, or none is open.
 */
export function survivalOf(closed: HourCounts, open: HourCounts): readonly SurvivalPoint[] {
  const [closedAt, openAt] = [new Map(closed.entries()), new Map(open.entries())];
  const times = [...new Set([...closedAt.keys(), ...openAt.keys()])].sort((a, b) => a - b);
  let atRisk = closed.total + open.total;
  let share = 1;
  let next = 0;
  const points: SurvivalPoint[] = [];
  for (const days of curveDays) {
    for (; next < times.length && (times[next] ?? 0) <= days * hoursPerDay; next += 1) {
      const time = times[next] ?? 0;
      const ended = closedAt.get(time) ?? 0;
      share *= 1 - ended / atRisk;
      atRisk -= ended + (openAt.get(time) ?? 0);
    }
    if (atRisk === 0 && share > 0) return points;
    points.push({ days, openShare: share, atRisk });
    if (share === 0) return points;
  }
  return points;
}
