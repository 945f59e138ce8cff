import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import type { TextSearch } from '../../shell/text-search.ts';

/** Search parameters of the packages' page. `version`: lists only hosts with this version. */
export type PackagesSearch = TextSearch<'name' | 'version_lt' | 'version'>;

/** The package in the address, with a function that asks for another one. */
export function usePackagesSearch(): readonly [PackagesSearch, (search: PackagesSearch) => void] {
  const search = useSearch({ from: '/signed-in/packages' });
  const navigate = useNavigate({ from: '/packages' });
  const ask = useCallback(
    (asked: PackagesSearch) => void navigate({ search: () => asked, resetScroll: false }),
    [navigate],
  );
  return [search, ask];
}
