import type { HostsSearch } from './hosts-search.ts';

let last: HostsSearch = {};

/** Remembers the filters and the order of the shown list. */
export function rememberHostsList(search: HostsSearch): void {
  last = search;
}

/** The filters and the order of the list that this tab showed last. */
export function lastHostsList(): HostsSearch {
  return last;
}
