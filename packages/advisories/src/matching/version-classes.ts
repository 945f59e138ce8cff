import type { Statement } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import type { VersionToMatch } from './match-version.ts';

/** Sort keys, distinct and ascending: between two of them, statements judge all versions of a package alike. */
export type KeyScale = readonly Uint8Array[];

/**
 * The keys that statements about a package compare its versions with. Null if one of them names a source: its fix is
 * expressed in each version's own terms (inTermsOf), so that no single key has it.
 */
export function keyScaleOf(statements: readonly Statement[]): KeyScale | null {
  const keys: Uint8Array[] = [];
  for (const { names, fix, override } of statements) {
    if (names !== undefined) return null;
    const compared = [
      fix.kind === 'fixed' ? fix.key : fix.pendingKey,
      override?.fromKey ?? undefined,
      override?.beforeKey ?? undefined,
    ];
    for (const key of compared) if (key !== undefined) keys.push(key);
  }
  return keys
    .sort(compareKeys)
    .filter((key, place, all) => place === 0 || compareKeys(key, all[place - 1] ?? key) !== 0);
}

/**
 * A text that two versions of one release share only if matchVersion returns the same for both, given the statements of
 * the scale: they are builds of the same kind, and neither has reached a key that the other has not. Everything that
 * matching reads of a version must be part of it.
 */
export function versionClassOf({ architecture, matchKey, verdict }: VersionToMatch, scale: KeyScale): string {
  if (matchKey === null || verdict.kind !== 'comparable') return '';
  const { module, line, follows } = verdict;
  return [architecture, module, line, follows ?? '-', reachedOf(matchKey, scale)].join('\0');
}

/** How many keys of a scale are at or below a key. */
function reachedOf(key: Uint8Array, scale: KeyScale): number {
  let low = 0;
  let high = scale.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareKeys(scale[middle] ?? key, key) <= 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
