import type { Host } from '@plimsoll/contract';
import type { HostsSearch } from '../hosts-search.ts';

const names: readonly string[] = [
  'severity',
  'finding_severity',
  'known_exploited',
  'has_findings',
  'unfixed',
  'overdue',
  'has_disagreements',
] satisfies readonly (keyof HostsSearch)[];

/** The actions that come from findings. */
const actions: readonly string[] = [
  'watch',
  'subscribe',
  'unblock',
  'update_security',
  'mitigate_urgent',
  'reboot_urgent',
  'upgrade_release_urgent',
  'unblock_urgent',
  'update_urgent',
] satisfies readonly Host['overall_action'][];

/** Whether filters select hosts by findings that they have: a host of which not all are known may have more. */
export function areAboutFindings(filters: HostsSearch): boolean {
  return Object.entries(filters).some(isAboutFindings);
}

/** The filters that do not select hosts by findings that they have. */
export function apartFromFindings(filters: HostsSearch): HostsSearch {
  return Object.fromEntries(Object.entries(filters).filter((filter) => !isAboutFindings(filter)));
}

function isAboutFindings([name, value]: readonly [string, string | undefined]): boolean {
  if (value === undefined) return false;
  return name === 'overall_action' ? actions.includes(value) : names.includes(name) && value !== 'false';
}
