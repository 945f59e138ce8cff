import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type HostsSearch, hostsSearch } from './hosts-search.ts';

const route = getRouteApi('/signed-in/hosts');

/** The search parameters, with a function that changes some of them; '' removes a parameter. */
export function useHostsSearch(): readonly [HostsSearch, (next: HostsSearch) => void] {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: HostsSearch) =>
      void navigate({ search: (was) => hostsSearch({ ...was, ...next }), replace: true, resetScroll: false }),
    [navigate],
  );
  return [search, change];
}
