import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { FindingsSearch } from './findings-search.ts';

/** Changes to the address; undefined removes a parameter. */
export type FindingsChange = { readonly [K in keyof FindingsSearch]?: string | undefined };

/** The filters in the address, with a function that changes some of them. */
export function useFindingsSearch(): readonly [FindingsSearch, (change: FindingsChange) => void] {
  const search = useSearch({ from: '/signed-in/findings' });
  const navigate = useNavigate({ from: '/findings' });
  const change = useCallback(
    (changed: FindingsChange) =>
      void navigate({
        search: (before) => withChange(before, changed),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change];
}

/** The parameters with a change. */
export function withChange(search: FindingsSearch, change: FindingsChange): FindingsSearch {
  return Object.fromEntries(
    Object.entries({ ...search, ...change }).filter(([, value]) => value !== undefined && value !== ''),
  ) as FindingsSearch; // the parameters that are left
}
