import { waiverKindOrder } from '@plimsoll/words';
import type { WaiversSearch } from './waivers-search.ts';

/** The states of the filter with their words. */
export const stateOptions = [
  ['active', 'In force'],
  ['expiring', 'Ending within 7 days'],
  ['ended', 'Ended'],
  ['all', 'In force or ended'],
] as const;

/** The scopes of the filter with their words. */
export const scopeOptions = [
  ['any', 'Any hosts'],
  ['hosts', 'Named hosts'],
  ['tags', 'Hosts by tag'],
  ['all_hosts', 'All hosts'],
] as const;

/** One of `stateOptions`. */
export type StateOption = (typeof stateOptions)[number][0];

/** The state in the address; an unknown value is the default. */
export function stateIn({ state }: WaiversSearch): StateOption {
  return stateOptions.find(([known]) => known === state)?.[0] ?? 'active';
}

/** Query of GET /waivers; drops values that the API does not know. */
export function waiverQueryOf(search: WaiversSearch) {
  const state = stateIn(search);
  const kind = waiverKindOrder.find((known) => known === search.kind);
  const scope = scopeOptions.find(([known]) => known === search.scope)?.[0];
  return {
    ...(state !== 'all' && { state }),
    ...(kind !== undefined && { kind }),
    ...(scope !== undefined && scope !== 'any' && { scope }),
    ...(search.q !== undefined && { q: search.q }),
    ...(search.names !== undefined && { names: search.names }),
    ...(search.host !== undefined && { host: search.host }),
  };
}
