import { getRouteApi } from '@tanstack/react-router';
import { useCallback } from 'react';
import { type SettingsSearch, settingsSearch } from './settings-search.ts';

const route = getRouteApi('/signed-in/settings');

/** The search parameters, with a function that changes some of them in place; '' removes a parameter. */
export function useSettingsSearch(): readonly [SettingsSearch, (next: SettingsSearch) => void] {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = useCallback(
    (next: SettingsSearch) =>
      void navigate({
        search: (was) => settingsSearch({ ...was, ...next }),
        replace: true,
        resetScroll: false,
      }),
    [navigate],
  );
  return [search, change];
}

/** Opens a tab as a new step of the browser's history, without the parameters of the previous tab. */
export function useOpenTab(): (tab: string) => void {
  const navigate = route.useNavigate();
  return (tab) => void navigate({ search: { tab }, resetScroll: false });
}
