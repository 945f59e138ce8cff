import type { Host } from '@plimsoll/contract';
import type { Gap } from '@plimsoll/model';

/** Counts of a host by the gaps with which zero means that nothing is known, not that there is nothing. */
const blinding: Partial<Record<keyof Host, readonly Gap[]>> = {
  ...Object.fromEntries(
    [
      'critical_count',
      'important_count',
      'moderate_count',
      'low_count',
      'unrated_count',
      'unfixed_count',
      'known_exploited_count',
      'overdue_count',
      'waived_count',
    ].map((field) => [field, ['no_report', 'no_feed', 'feed_never_synced']]),
  ),
  unknown_count: ['no_report'],
  broken_count: ['no_report'],
  disagreement_count: ['no_report', 'no_feed', 'feed_never_synced'],
  available_updates: ['no_report', 'package_lists_unknown'],
  phased_updates: ['no_report', 'package_lists_unknown'],
};

/** Fields that say no also where the state that they follow from is not known. */
const states: Partial<Record<keyof Host, 'reboot_state' | 'restart_state'>> = {
  needs_reboot: 'reboot_state',
  needs_restart: 'restart_state',
};

/**
 * A field of a host in a table; a zero or a no of which nothing is known is empty. Other zeros with gaps are lower
 * bounds.
 * @param of isKevKnown: whether CISA's catalog was ever synced; isDueByKev: whether the policy of due dates asks for it
 */
export function hostCell<Field extends keyof Host>(
  host: Host,
  field: Field,
  { isKevKnown, isDueByKev }: { readonly isKevKnown: boolean; readonly isDueByKev: boolean },
): Host[Field] | null {
  const value = host[field];
  const restsOnKev = field === 'known_exploited_count' || (field === 'overdue_count' && isDueByKev);
  if (restsOnKev && value === 0 && !isKevKnown) return null;
  const state = states[field];
  if (state !== undefined && host[state] === 'unknown') return null;
  const isBlind = value === 0 && host.gaps.some((gap) => blinding[field]?.includes(gap) === true);
  return isBlind ? null : value;
}
