import { comesFrom } from '../../../words/fleet-knowledge.ts';
import type { HostsSearch } from '../hosts-search.ts';

type Name = keyof HostsSearch;

/** The filters by findings that hosts have. */
const names: readonly string[] = [
  'severity',
  'finding_severity',
  'open_severity',
  'known_exploited',
  'has_findings',
  'unfixed',
  'overdue',
  'has_disagreements',
] satisfies readonly Name[];

/** Those of them by findings that can be without a fix. */
const unfixedNames: readonly string[] = [
  'known_exploited',
  'unfixed',
  'overdue',
  'open_severity',
] satisfies readonly Name[];

/** Whether filters select hosts by findings that they have: a host of which not all are known may have more. */
export function areAboutFindings(filters: HostsSearch): boolean {
  return Object.entries(filters).some(isAboutFindings);
}

/** Whether every one of these filters can also hold by findings without a fix, which the feeds of some hosts do not list. */
export function mayHoldByUnfixed(filters: HostsSearch): boolean {
  const own = Object.entries(filters).filter(isAboutFindings);
  return (
    own.length > 0 &&
    own.every(([name, value]) =>
      name === 'overall_action' ? comesFrom(value ?? '', 'unfixed') : unfixedNames.includes(name),
    )
  );
}

/** The filters that do not select hosts by findings that they have. */
export function apartFromFindings(filters: HostsSearch): HostsSearch {
  return Object.fromEntries(Object.entries(filters).filter((filter) => !isAboutFindings(filter)));
}

function isAboutFindings([name, value]: readonly [string, string | undefined]): boolean {
  if (value === undefined) return false;
  return name === 'overall_action' ? comesFrom(value, 'findings') : names.includes(name) && value !== 'false';
}
