import { type Severity, severities } from '@plimsoll/model';

const otherWords: ReadonlyMap<string, Severity> = new Map([
  ['high', 'important'],
  ['medium', 'moderate'],
  ['negligible', 'none'],
  ['unimportant', 'none'],
  ['unknown', 'unrated'],
]);

/** Our severity for a vendor's or another tool's word, case-insensitive; null for an unknown word. */
export function severityOfWord(word: string): Severity | null {
  const lower = word.toLowerCase();
  return severities.find((severity) => severity === lower) ?? otherWords.get(lower) ?? null;
}
