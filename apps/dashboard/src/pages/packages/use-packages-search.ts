import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { TextSearch } from '../../shell/text-search.ts';

/** What the address of the packages' page says. `version`: of the listed hosts only those that have this one. */
export type PackagesSearch = TextSearch<'name' | 'version_lt' | 'version'>;

/** The package in the address of the packages' page, and how to ask for another. */
export function usePackagesSearch(): readonly [PackagesSearch, (search: PackagesSearch) => void] {
  const search = useSearch({ from: '/signed-in/packages' });
  const navigate = useNavigate({ from: '/packages' });
  const ask = useCallback(
    (asked: PackagesSearch) => void navigate({ search: () => asked, resetScroll: false }),
    [navigate],
  );
  return [search, ask];
}
