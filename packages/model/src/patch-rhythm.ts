import type { HostStatus, UpdatesState } from './host.ts';

/** Whether a host installs updates as often as it used to. */
export const patchRhythmStates = ['regular', 'stopped', 'nothing_to_install', 'unknown'] as const;

/** One of `patchRhythmStates`. */
export type PatchRhythmState = (typeof patchRhythmStates)[number];

/**
 * The state of a host's rhythm. It is never `regular` without enough history and a recent report, and never `stopped` if
 * it is known that nothing waits to be installed.
 * @param overdueAt when the host has been without updates for too long, in milliseconds since 1970; null: too few rounds.
 * @param now in milliseconds since 1970; the state changes right after `overdueAt`.
 */
export function patchRhythmState(
  overdueAt: number | null,
  host: {
    readonly status: HostStatus;
    readonly updatesState: UpdatesState;
    readonly availableUpdates: number;
  },
  now: number,
): PatchRhythmState {
  if (overdueAt === null || host.status !== 'active') return 'unknown';
  if (now <= overdueAt) return 'regular';
  return host.updatesState === 'known' && host.availableUpdates === 0 ? 'nothing_to_install' : 'stopped';
}
