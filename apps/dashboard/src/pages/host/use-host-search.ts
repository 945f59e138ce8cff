import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type HostSearch, hostSearch } from './host-search.ts';

const route = getRouteApi('/signed-in/hosts/$id');

/** The host that the address names. */
export function useHostId(): string {
  return route.useParams().id;
}

/** What the address says, and a way to change parts of it in place; an empty text takes a parameter away. */
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

/** Opens a tab as a step of the browser's history, with nothing of the one before. */
export function useOpenTab(): (tab: string) => void {
  const navigate = route.useNavigate();
  return (tab) => void navigate({ search: { tab }, resetScroll: false });
}
