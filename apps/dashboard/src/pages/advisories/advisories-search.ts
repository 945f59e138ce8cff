import { getRouteApi } from '@tanstack/react-router';
import { textSearch } from '../../shell/text-search.ts';
import { useTextSearch } from '../../shell/use-text-search.ts';

const page = getRouteApi('/signed-in/advisories');

/**
 * Reads the search parameters of the advisories' page. `affecting`: `false` lists all published advisories, otherwise
 * only those with a finding on a host of the fleet. `exploited`: `true` lists only known exploited ones. The others are
 * parameters of GET /advisories.
 */
export const advisoriesSearch = textSearch(
  'q',
  'severity',
  'exploited',
  'affecting',
  'release',
  'feed',
  'sort',
);

/** The search parameters of the advisories' page; each may be missing. */
export type AdvisoriesSearch = ReturnType<typeof advisoriesSearch>;

/** The search parameters, with a function that changes some of them in place; '' or undefined removes one. */
export function useAdvisoriesSearch() {
  return useTextSearch(page, advisoriesSearch);
}
