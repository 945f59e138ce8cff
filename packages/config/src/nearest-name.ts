import { distance } from 'fastest-levenshtein';

/** Longer names are not compared. */
const maxLength = 100;

/**
 * The name in `names` that `typed` most likely means; `null` if none is near. Prefers a name that ends with `typed`
 * after a separator, otherwise the one with the fewest edits (Levenshtein), at most a third of its length.
 */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const wanted = typed.toLowerCase();
  const partial = names.filter((name) => name.toLowerCase().endsWith(`.${wanted}`));
  if (partial.length === 1 && partial[0] !== undefined) return partial[0];
  if (wanted.length > maxLength) return null;

  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of names) {
    if (name.length > maxLength) continue;
    const edits = distance(wanted, name.toLowerCase());
    if (edits >= fewest || edits > Math.floor(name.length / 3)) continue;
    nearest = name;
    fewest = edits;
  }
  return nearest;
}
