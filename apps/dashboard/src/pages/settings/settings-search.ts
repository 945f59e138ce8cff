import { type TextSearch, textSearch } from '../../shell/text-search.ts';

/**
 * What the address of the settings says: the open tab; of the audit log its filters, `from` and `to` as days; the user
 * and the import that are looked at.
 */
export const settingsSearch = textSearch('tab', 'actor', 'action', 'target', 'from', 'to', 'user', 'import');

/** The parameters of the settings. */
export type SettingsSearch = TextSearch<keyof ReturnType<typeof settingsSearch>>;
