import type { PatchRhythm } from '@plimsoll/contract';
import type { HostOverview, LearnedRhythm } from '@plimsoll/db';

/**
 * Whether a host installs updates as it used to. It is never `regular` without enough history and a recent report, and
 * never `stopped` if nothing waits to be installed.
 */
export function rhythmAnswer(
  { rounds, lastAt, usual, overdueAt }: LearnedRhythm,
  host: Pick<HostOverview, 'status' | 'availableUpdates' | 'updatesState'>,
  now: Date,
): PatchRhythm {
  const learned = {
    rounds,
    last_round_at: lastAt === null ? null : new Date(lastAt).toISOString(),
    median_days: usual?.medianDays ?? null,
    longest_days: usual?.longestDays ?? null,
    overdue_at: overdueAt === null ? null : new Date(overdueAt).toISOString(),
  };
  if (overdueAt === null) return { state: 'unknown', reason: 'not_enough_history', ...learned };
  if (host.status !== 'active') return { state: 'unknown', reason: 'no_recent_report', ...learned };
  if (now.getTime() < overdueAt) return { state: 'regular', reason: null, ...learned };
  const hasNothing = host.updatesState === 'known' && host.availableUpdates === 0;
  return hasNothing
    ? { state: 'nothing_to_install', reason: null, ...learned }
    : { state: 'stopped', reason: null, ...learned };
}
