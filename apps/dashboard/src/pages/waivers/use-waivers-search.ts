import { waiverKindOrder } from '@plimsoll/words';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type WaiversSearch, waiversSearch } from './waivers-search.ts';

/** Changes to the address; undefined removes a parameter. */
export type WaiversChange = { readonly [K in keyof WaiversSearch]?: string | undefined };

/** The filters in the address, with a function that changes some of them. */
export function useWaiversSearch(): readonly [WaiversSearch, (change: WaiversChange) => void] {
  const search = useSearch({ from: '/signed-in/waivers' });
  const navigate = useNavigate({ from: '/waivers' });
  const change = useCallback(
    (changed: WaiversChange) =>
      void navigate({
        search: (before) =>
          waiversSearch(
            Object.fromEntries(
              Object.entries({ ...before, ...changed }).filter(
                ([, value]) => value !== undefined && value !== '',
              ),
            ),
          ),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change];
}

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
