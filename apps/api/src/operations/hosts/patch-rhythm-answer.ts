import type { PatchRhythm } from '@plimsoll/contract';
import type { HostOverview, LearnedRhythm } from '@plimsoll/db';
import { patchRhythmState } from '@plimsoll/model';

/** Whether a host installs updates as it used to, as the filter `patch_rhythm` of lists says. */
export function rhythmAnswer(
  { rounds, lastAt, usual, overdueAt }: LearnedRhythm,
  host: Pick<HostOverview, 'status' | 'availableUpdates' | 'updatesState'>,
  now: Date,
): PatchRhythm {
  const state = patchRhythmState(overdueAt, host, now.getTime());
  return {
    state,
    reason: state !== 'unknown' ? null : overdueAt === null ? 'not_enough_history' : 'no_recent_report',
    rounds,
    last_round_at: lastAt === null ? null : new Date(lastAt).toISOString(),
    median_days: usual?.medianDays ?? null,
    longest_days: usual?.longestDays ?? null,
    overdue_at: overdueAt === null ? null : new Date(overdueAt).toISOString(),
  };
}
