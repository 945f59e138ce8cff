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

/** The severity of a vendor's word, whatever its case; null for a word that is none. */
export function severityOfWord(word: string): Severity | null {
  return severities.get(word.trim().toLowerCase()) ?? null;
}

const prefix = /^\s*([A-Za-z]{3,9})\s*:/;

/** The severity that a title starts with, as in "Important: kernel security update"; null where it starts with none. */
export function severityOfTitle(title: string): Severity | null {
  return severityOfWord(prefix.exec(title)?.[1] ?? '');
}
