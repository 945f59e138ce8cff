import type { HostsSearch } from '../hosts-search.ts';

const names = [
  'severity',
  'finding_severity',
  'known_exploited',
  'has_findings',
  'unfixed',
  'overdue',
] as const;

/** Whether filters select hosts by findings that they have: a host of which not all are known may have more. */
export function areAboutFindings(filters: HostsSearch): boolean {
  return names.some((name) => filters[name] !== undefined && filters[name] !== 'false');
}
