import type { Host } from '@plimsoll/contract';
import { findingGaps, type Gap, updateGaps } from '@plimsoll/model';

/** The fields of a host that say what is not known of its numbers. */
type Knowledge = Pick<Host, 'gaps' | 'reboot_state' | 'restart_state' | 'os_version'>;

const silent = ['no_report', 'report_outdated'] as const satisfies readonly Gap[];
/** `packages_unchecked` alone leaves all but these packages known: `unknown_count` is their number. */
const findings = findingGaps.filter((gap) => gap !== 'packages_unchecked');

/** Counts of a host by the gaps with which they are not known: zero does not mean none, and more means at least. */
const blinding = {
  critical_count: findings,
  important_count: findings,
  moderate_count: findings,
  low_count: findings,
  unrated_count: findings,
  unfixed_count: [...findings, 'feed_lists_fixes_only'],
  known_exploited_count: findings,
  overdue_count: findings,
  waived_count: findings,
  unknown_count: silent,
  broken_count: silent,
  disagreement_count: findings,
  available_updates: updateGaps,
  phased_updates: updateGaps,
  needs_reboot: silent,
  needs_restart: silent,
} as const satisfies Partial<Record<keyof Host, readonly Gap[]>>;

/** Names of the numbers of a host that are not known, in the order of the contract. */
export function unknownFieldsOf({ gaps, reboot_state, restart_state, os_version }: Knowledge): string[] {
  const blind = Object.entries(blinding).filter(([, some]) =>
    gaps.some((gap) => some.some((one) => one === gap)),
  );
  const unknown = new Set(blind.map(([field]) => field));
  if (os_version === '') unknown.add('os_major');
  if (reboot_state === 'unknown') unknown.add('needs_reboot');
  if (restart_state === 'unknown') unknown.add('needs_restart');
  return [...unknown];
}
