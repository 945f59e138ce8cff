import type { PathOf, RequestArgs } from '../../api/client.ts';
import type { HostsSearch } from './hosts-search.ts';

type QueryOf<P extends PathOf<'get'>> = NonNullable<NonNullable<RequestArgs<'get', P>[0]>['query']>;

/** Which hosts, and in which order. */
export type HostQuery = QueryOf<'/hosts.csv'>;

/** The most urgent first. */
export const defaultSort = '-overall_action';

/** What the address asks for, as GET /hosts takes it. What the server does not know it refuses, and says so. */
export function hostQueryOf(search: HostsSearch): HostQuery {
  return { ...search, sort: search.sort ?? defaultSort } as HostQuery; // text of an address; checked by the server
}
