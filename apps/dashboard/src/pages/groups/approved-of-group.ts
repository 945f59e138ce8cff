import type { Group } from '@plimsoll/contract';
import type { HostsSearch } from '../hosts/hosts-search.ts';

/** The list of the hosts that a group counts: the approved ones, unless its filters ask for others. */
export function approvedOf({ filter }: Pick<Group, 'filter'>): HostsSearch {
  return filter['retired'] === 'true' ? filter : { approval_status: 'approved', ...filter };
}
