import { getRouteApi } from '@tanstack/react-router';
import { type TextSearch, textSearch } from '../../shell/text-search.ts';
import { useTextSearch } from '../../shell/use-text-search.ts';

const page = getRouteApi('/signed-in/hosts/$id');

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

/** The search parameters, with a function that changes some of them in place; '' or undefined removes one. */
export function useHostSearch() {
  return useTextSearch(page, hostSearch);
}

/** Opens a tab as a new step of the browser's history, without the parameters of the previous tab. */
export function useOpenTab(): (tab: string) => void {
  const navigate = page.useNavigate();
  return (tab) => void navigate({ search: { tab }, resetScroll: false });
}

/** Id of the host in the address. */
export function useHostId(): string {
  return page.useParams().id;
}
