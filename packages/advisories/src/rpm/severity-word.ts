import type { Severity } from '@plimsoll/model';

const severities: ReadonlyMap<string, Severity> = new Map([
  ['critical', 'critical'],
  ['urgent', 'critical'],
  ['important', 'important'],
  ['high', 'important'],
  ['moderate', 'moderate'],
  ['medium', 'moderate'],
  ['low', 'low'],
  ['none', 'none'],
]);

/** The severity of a vendor's word, case-insensitive; null for an unknown word. */
export function severityOfWord(word: string): Severity | null {
  return severities.get(word.trim().toLowerCase()) ?? null;
}

const prefix = /^\s*([A-Za-z]{3,9})\s*:/;

/** The severity at the start of a title, as in "Important: kernel security update"; null if absent. */
export function severityOfTitle(title: string): Severity | null {
  return severityOfWord(prefix.exec(title)?.[1] ?? '');
}
