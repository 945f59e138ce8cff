import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { AdvisoriesSearch } from './advisories-search.ts';

/** Changes to the address; undefined removes a parameter. */
export type SearchChange = { readonly [K in keyof AdvisoriesSearch]?: string | undefined };

/** The filters in the address, with a function that changes some of them. */
export function useAdvisoriesSearch(): readonly [AdvisoriesSearch, (change: SearchChange) => void] {
  const search = useSearch({ from: '/signed-in/advisories' });
  const navigate = useNavigate({ from: '/advisories' });
  const change = useCallback(
    (changed: SearchChange) =>
      void navigate({
        search: (before) => defined({ ...before, ...changed }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change];
}

function defined(search: SearchChange): AdvisoriesSearch {
  return Object.fromEntries(
    Object.entries(search).filter(([, value]) => value !== undefined && value !== ''),
  ) as AdvisoriesSearch; // the parameters that are left
}
