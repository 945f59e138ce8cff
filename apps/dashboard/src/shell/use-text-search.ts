import { useCallback } from 'react';
import type { TextSearch } from './text-search.ts';

/** A page, as `getRouteApi` names it. */
interface PageRoute {
  useSearch(): unknown;
  useNavigate(): (options: never) => unknown;
}

/** Changes to the search parameters of an address; '' or undefined removes one. */
export type SearchChange<Name extends string> = { readonly [K in Name]?: string | undefined };

/** The search parameters of a page, with a function that changes some of them in place. `read`: the route's own. */
export function useTextSearch<Name extends string>(
  page: PageRoute,
  read: (search: Readonly<Record<string, unknown>>) => TextSearch<Name>,
): readonly [TextSearch<Name>, (change: SearchChange<Name>) => void] {
  const search = page.useSearch() as TextSearch<Name>; // what the route read
  const navigate = page.useNavigate();
  const change = useCallback(
    (changed: SearchChange<Name>) => {
      const next = (was: TextSearch<Name>) => read({ ...was, ...changed });
      navigate({ search: next, replace: true, resetScroll: false } as never); // options of the page's route
    },
    [navigate, read],
  );
  return [search, change];
}
