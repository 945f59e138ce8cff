import { type HostScope, type PatchRhythmState, patchRhythmStates } from '@plimsoll/model';
import type { HostColumns } from '../hosts/host-columns.ts';

/** The number of approved hosts by the state of their rhythm. */
export type RhythmTotals = Readonly<Record<PatchRhythmState, number>>;

/** Counts the hosts in memory. */
export function rhythmTotals(columns: HostColumns, scope: HostScope): RhythmTotals {
  const { flags, codes, words, size } = columns;
  const isSeen = columns.seenIn(scope);
  const approved = words.approvalStatus.indexOf('approved');
  const totals: Record<PatchRhythmState, number> = {
    regular: 0,
    stopped: 0,
    nothing_to_install: 0,
    unknown: 0,
  };
  for (let position = 0; position < size; position += 1) {
    if (flags.isPresent[position] !== 1 || codes.approvalStatus[position] !== approved) continue;
    if (!isSeen(position)) continue;
    const state = patchRhythmStates[codes.patchRhythm[position] ?? -1] ?? 'unknown';
    totals[state] += 1;
  }
  return totals;
}
