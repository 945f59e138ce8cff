import { getRouteApi } from '@tanstack/react-router';
import { type TextSearch, textSearch } from '../../shell/text-search.ts';
import { useTextSearch } from '../../shell/use-text-search.ts';

const page = getRouteApi('/signed-in/settings');

/**
 * Reads the search parameters of the settings: the open tab, the filters of the audit log (`from`, `to`: days), and the
 * opened user and import.
 */
export const settingsSearch = textSearch('tab', 'actor', 'action', 'target', 'from', 'to', 'user', 'import');

/** The search parameters of the settings; each may be missing. */
export type SettingsSearch = TextSearch<keyof ReturnType<typeof settingsSearch>>;

/** The search parameters, with a function that changes some of them in place; '' or undefined removes one. */
export function useSettingsSearch() {
  return useTextSearch(page, settingsSearch);
}

/** Opens a tab as a new step of the browser's history, without the parameters of the previous tab. */
export function useOpenTab(): (tab: string) => void {
  const navigate = page.useNavigate();
  return (tab) => void navigate({ search: { tab }, resetScroll: false });
}
