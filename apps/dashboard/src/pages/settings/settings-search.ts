import { type TextSearch, textSearch } from '../../shell/text-search.ts';

/**
 * Search parameters of the settings: the open tab, the filters of the audit log (`from`, `to`: days), and the opened
 * user and import.
 */
export const settingsSearch = textSearch('tab', 'actor', 'action', 'target', 'from', 'to', 'user', 'import');

/** Validates the search parameters of the settings. */
export type SettingsSearch = TextSearch<keyof ReturnType<typeof settingsSearch>>;
