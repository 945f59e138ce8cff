import type { DueClock, DueCve } from '@plimsoll/model';
import type { DueFacts } from './due-facts.ts';

/** A day of the policy: 24 hours in UTC, whatever the time zone of the reader. */
export const dayMs = 24 * 60 * 60_000;

/** The start (UTC) of the day of a time, both in milliseconds since 1970. */
export function startOfDay(time: number): number {
  return time - (time % dayMs);
}

/** When clocks of one host and package version can start. Times are milliseconds since 1970. */
export interface HostTimes {
  /** When the host got the package version. */
  readonly installedAt: number;
  /** The start (UTC) of the day of the host's first report: nothing was detected on it before. */
  readonly firstReportAt: number;
}

/** The start of a clock on a host; null: it has not started. */
export function startOf(
  clock: DueClock,
  facts: DueFacts,
  cve: DueCve | null,
  times: HostTimes,
): number | null {
  const shared = sharedStartOf(clock, facts, cve);
  // Before the advisory there was nothing to close.
  if (clock === 'installed') return Math.max(times.installedAt, facts.statedAt);
  if (clock !== 'detected') return shared;
  return Math.min(Math.max(times.firstReportAt, facts.statedAt), shared ?? Number.POSITIVE_INFINITY);
}

/** The start of a clock that is the same on all hosts; null: there is none. */
export function sharedStartOf(clock: DueClock, facts: DueFacts, cve: DueCve | null): number | null {
  switch (clock) {
    case 'published':
      return facts.fix?.publishedAt ?? null;
    case 'installed':
      return null;
    case 'kev':
      return cve?.exploitedAt ?? facts.statedAt;
    case 'detected':
      return cve?.exploitedAt ?? null;
  }
}
