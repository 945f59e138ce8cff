import { getRouteApi } from '@tanstack/react-router';
import { textSearch } from '../../shell/text-search.ts';
import { useTextSearch } from '../../shell/use-text-search.ts';

const page = getRouteApi('/signed-in/waivers');

/**
 * Reads the search parameters of the page of waivers: the filters of GET /waivers. `state`: `all` for any; missing: those
 * that apply. `id`: the waiver that is shown in full.
 */
export const waiversSearch = textSearch('state', 'kind', 'scope', 'q', 'names', 'host', 'id');

/** The search parameters of the page of waivers; each may be missing. */
export type WaiversSearch = ReturnType<typeof waiversSearch>;

/** The search parameters, with a function that changes some of them in place; '' or undefined removes one. */
export function useWaiversSearch() {
  return useTextSearch(page, waiversSearch);
}
