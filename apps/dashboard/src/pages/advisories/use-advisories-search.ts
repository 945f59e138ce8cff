import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { AdvisoriesSearch } from './advisories-search.ts';

/** What to change of the address; undefined takes a parameter away. */
export type SearchChange = { readonly [K in keyof AdvisoriesSearch]?: string | undefined };

/** The filters in the address of the advisories' page, and how to change some of them. */
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
  ) as AdvisoriesSearch; // what is left of it
}
