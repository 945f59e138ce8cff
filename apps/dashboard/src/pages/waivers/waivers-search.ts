import { textSearch } from '../../shell/text-search.ts';

/**
 * Reads the search parameters of the page of waivers: the filters of GET /waivers. `state`: `all` for any; missing: those
 * that apply. `id`: the waiver that is shown in full.
 */
export const waiversSearch = textSearch('state', 'kind', 'scope', 'q', 'names', 'host', 'id');

/** The search parameters of the page of waivers; each may be missing. */
export type WaiversSearch = ReturnType<typeof waiversSearch>;
