/**
 * Chooses `count` entries to evict: the largest groups lose first, until the largest that remain are equal. Within a
 * group the first entries go first; among equal groups, the first group.
 */
export function chooseEvicted<T>(groups: ReadonlyMap<string, readonly T[]>, count: number): readonly T[] {
  const bySize = [...groups.values()].sort((a, b) => b.length - a.length);
  const excess = (level: number) => bySize.reduce((sum, group) => sum + Math.max(0, group.length - level), 0);
  // The highest level that frees enough; 0 frees all.
  let low = 0;
  let high = bySize[0]?.length ?? 0;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (excess(middle) >= count) low = middle;
    else high = middle - 1;
  }
  return bySize.flatMap((group) => group.slice(0, Math.max(0, group.length - low))).slice(0, count);
}
