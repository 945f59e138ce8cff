import { getRouteApi } from '@tanstack/react-router';
import { textSearch } from '../../shell/text-search.ts';
import { type SearchChange, useTextSearch } from '../../shell/use-text-search.ts';

const page = getRouteApi('/signed-in/findings');

/** Reads the search parameters of the page of findings: those of GET /findings. */
export const findingsSearch = textSearch(
  'group_by',
  'q',
  'severity',
  'known_exploited',
  'fix_state',
  'overdue',
  'tag',
  'first_seen_before',
  'include_waived',
  'only_waived',
  'advisory',
  'cve',
  'package',
  'host',
);

/** The search parameters of the page of findings; each may be missing. */
export type FindingsSearch = ReturnType<typeof findingsSearch>;

/** The search parameters, with a function that changes some of them in place; '' or undefined removes one. */
export function useFindingsSearch() {
  return useTextSearch(page, findingsSearch);
}

/** The parameters with a change. */
export function withChange(
  search: FindingsSearch,
  change: SearchChange<keyof FindingsSearch>,
): FindingsSearch {
  return findingsSearch({ ...search, ...change });
}
