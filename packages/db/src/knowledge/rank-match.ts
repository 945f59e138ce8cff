/** How a text matches what was typed, the best first. */
export const matchKinds = ['exact', 'prefix', 'part'] as const;

/** One of `matchKinds`. */
export type MatchKind = (typeof matchKinds)[number];

/** How one of the texts matches, the best of them; null: none contains it. @param texts and `wanted` in lower case */
export function matchOf(texts: readonly string[], wanted: string): MatchKind | null {
  let best: MatchKind | null = null;
  for (const text of texts) {
    const at = text.indexOf(wanted);
    if (at === -1) continue;
    if (at > 0) best ??= 'part';
    else if (text.length === wanted.length) return 'exact';
    else best = 'prefix';
  }
  return best;
}
