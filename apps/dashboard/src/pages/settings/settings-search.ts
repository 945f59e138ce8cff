import { type TextSearch, textSearch } from '../../shell/text-search.ts';

/**
 * Reads the search parameters of the settings: the open tab, the filters of the audit log (`from`, `to`: days), and the
 * opened user and import.
 */
export const settingsSearch = textSearch('tab', 'actor', 'action', 'target', 'from', 'to', 'user', 'import');

/** The search parameters of the settings; each may be missing. */
export type SettingsSearch = TextSearch<keyof ReturnType<typeof settingsSearch>>;
