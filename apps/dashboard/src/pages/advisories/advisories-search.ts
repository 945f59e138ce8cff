import { textSearch } from '../../shell/text-search.ts';

/**
 * What the address of the advisories' page says. `affecting`: `false` for all that feeds publish, else those that are a
 * finding on one of our hosts; `exploited`: `true` for those that attackers are known to use; the rest by the names that
 * GET /advisories has.
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

/** The parameters of the advisories' page. */
export type AdvisoriesSearch = ReturnType<typeof advisoriesSearch>;
