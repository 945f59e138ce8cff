import { type TextSearch, textSearch } from '../../shell/text-search.ts';

/**
 * Reads the search parameters of a host's page: the open tab and its filters. `fix`: `unfixed` or `all`; missing:
 * findings with a fix. `waived`: `true` with waived findings, `only` without others. `package`: `name:architecture` of the explained finding;
 * in the list of all packages the name, and `advisory`: what is explained about it. `from`, `to`: ids of snapshots.
 * `at`: a past time; `known`: `now` to check what was installed then against what is known today.
 */
export const hostSearch = textSearch(
  'tab',
  'q',
  'severity',
  'fix',
  'negligible',
  'exploited',
  'waived',
  'overdue',
  'package',
  'advisory',
  'security',
  'verdict',
  'from',
  'to',
  'at',
  'known',
);

/** The search parameters of a host's page; each may be missing. */
export type HostSearch = TextSearch<keyof ReturnType<typeof hostSearch>>;
