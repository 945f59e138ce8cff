/**
 * Returns the name out of `names` that `typed` most likely means, or `null` if none is near: a name that ends with
 * `typed` after a separator, else the one with the fewest edits, at most a third of its length.
 */
export function nearestName(typed: string, names: readonly string[]): string | null {
  const wanted = typed.toLowerCase();
  const partial = names.filter((name) => name.toLowerCase().endsWith(`.${wanted}`));
  if (partial.length === 1 && partial[0] !== undefined) return partial[0];

  let nearest: string | null = null;
  let fewest = Number.POSITIVE_INFINITY;
  for (const name of names) {
    if (Math.abs(name.length - wanted.length) >= fewest) continue;
    const edits = editDistance(wanted, name.toLowerCase());
    if (edits < fewest && edits <= Math.floor(name.length / 3)) {
      nearest = name;
      fewest = edits;
    }
  }
  return nearest;
}

/** Levenshtein distance. Names longer than 100 characters count as entirely different. */
function editDistance(left: string, right: string): number {
  if (left.length > 100 || right.length > 100) return Number.POSITIVE_INFINITY;
  let previous = Array.from({ length: right.length + 1 }, (_, column) => column);
  for (let row = 1; row <= left.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= right.length; column += 1) {
      const replaced = (previous[column - 1] ?? 0) + (left[row - 1] === right[column - 1] ? 0 : 1);
      const removed = (previous[column] ?? 0) + 1;
      const added = (current[column - 1] ?? 0) + 1;
      current.push(Math.min(replaced, removed, added));
    }
    previous = current;
  }
  return previous[right.length] ?? 0;
}
