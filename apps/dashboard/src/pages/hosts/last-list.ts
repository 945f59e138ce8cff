import type { HostsSearch } from './hosts-search.ts';

let last: HostsSearch = {};

/** Notes the filters and the order of the list of hosts that is shown. */
export function rememberHostsList(search: HostsSearch): void {
  last = search;
}

/** The filters and the order of the list of hosts that was shown last in this tab: where to go back to. */
export function lastHostsList(): HostsSearch {
  return last;
}
