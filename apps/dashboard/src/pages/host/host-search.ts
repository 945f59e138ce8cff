import { type TextSearch, textSearch } from '../../shell/text-search.ts';

/**
 * What the address of a host's page says: the open tab, and what that tab shows. `fix`: `unfixed`, `all` or nothing for
 * findings with a fix; `package`: `name:architecture` of the finding that is explained; `from` and `to`: snapshots.
 */
export const hostSearch = textSearch(
  'tab',
  'q',
  'severity',
  'fix',
  'negligible',
  'exploited',
  'package',
  'security',
  'verdict',
  'from',
  'to',
  'at',
);

/** The parameters of a host's page. */
export type HostSearch = TextSearch<keyof ReturnType<typeof hostSearch>>;
