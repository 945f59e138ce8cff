import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type HostSearch, hostSearch } from './host-search.ts';

const route = getRouteApi('/signed-in/hosts/$id');

/** Id of the host in the address. */
export function useHostId(): string {
  return route.useParams().id;
}

/** The search parameters, with a function that changes some of them in place; '' removes a parameter. */
export function useHostSearch(): readonly [HostSearch, (next: HostSearch) => void] {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: HostSearch) =>
      void navigate({ search: (was) => hostSearch({ ...was, ...next }), replace: true, resetScroll: false }),
    [navigate],
  );
  return [search, change];
}

/** Opens a tab as a new step of the browser's history, without the parameters of the previous tab. */
export function useOpenTab(): (tab: string) => void {
  const navigate = route.useNavigate();
  return (tab) => void navigate({ search: { tab }, resetScroll: false });
}
