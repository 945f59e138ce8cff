import type { FleetSummary } from '@plimsoll/contract';
import { hostsInWords } from '../../design/number-words.ts';

type Checked = Pick<FleetSummary, 'hosts' | 'by_gap'>;

/** Whether a list without hosts of an advisory may look calm: there are hosts, and all their packages can be checked. */
export function isAllChecked({ hosts, by_gap }: Checked): boolean {
  return hosts > 0 && by_gap.no_report === 0 && by_gap.packages_unchecked === 0;
}

/**
 * What an empty list about one advisory rests on.
 *
 * @param unknown number of hosts that may be affected and cannot be checked
 */
export function checkedInWords(fleet: Checked, unknown: number): string {
  if (fleet.hosts === 0) return 'No host is approved.';
  if (unknown > 0) return `${hostsInWords(unknown)} cannot be checked for this advisory, or not completely.`;
  if (isAllChecked(fleet)) return 'Every approved host that it could concern was checked.';
  const { no_report: unreported, packages_unchecked: unchecked } = fleet.by_gap;
  return [
    ...(unreported > 0 ? [`Without a processed report: ${hostsInWords(unreported)}.`] : []),
    ...(unchecked > 0 ? [`With packages that cannot be checked: ${hostsInWords(unchecked)}.`] : []),
  ].join(' ');
}
