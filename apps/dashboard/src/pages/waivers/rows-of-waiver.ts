import type { Waiver } from '@plimsoll/contract';
import type { FindingsSearch } from '../findings/findings-search.ts';

type Names = Pick<Waiver, 'advisories' | 'purls' | 'hosts' | 'tags' | 'all_hosts'>;

/**
 * The filters of the page of findings that list what a waiver concerns, host by host; null if they cannot: they take one
 * advisory or CVE, and one host or tag. Their packages are source packages only, those of a waiver can be binary ones.
 */
export function rowsOfWaiver({ advisories, purls, hosts, tags, all_hosts }: Names): FindingsSearch | null {
  const [name, ...others] = advisories;
  const [place, ...elsewhere] = [...hosts.map((host) => ({ host })), ...tags.map((tag) => ({ tag }))];
  if (name === undefined || others.length > 0 || purls.length > 0 || elsewhere.length > 0) return null;
  if (place === undefined && !all_hosts) return null;
  const what = isCve(name) ? { cve: name } : { advisory: name };
  return { group_by: 'host', ...what, ...place, only_waived: 'true' };
}

/** Whether a name is that of a CVE, not of an advisory. */
export function isCve(name: string): boolean {
  return /^CVE-\d/.test(name);
}
