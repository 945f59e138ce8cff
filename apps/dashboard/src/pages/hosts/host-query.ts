import type { PathOf, RequestArgs } from '../../api/client.ts';
import type { HostsSearch } from './hosts-search.ts';

type QueryOf<P extends PathOf<'get'>> = NonNullable<NonNullable<RequestArgs<'get', P>[0]>['query']>;

/** Filters and order of GET /hosts. */
export type HostQuery = QueryOf<'/hosts.csv'>;

/** Most urgent first. */
export const defaultSort = '-overall_action';

/** The query of GET /hosts for an address. The server refuses unknown values with a message. */
export function hostQueryOf(search: HostsSearch): HostQuery {
  return { ...search, sort: search.sort ?? defaultSort } as HostQuery; // text of an address; the server checks it
}
