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

/** The first entries of each kind of match in an order, however many are offered. */
export class BestMatches<Entry> {
  private readonly found = new Map<MatchKind, Entry[]>(matchKinds.map((kind) => [kind, []]));
  private readonly limit: number;
  private readonly compare: (a: Entry, b: Entry) => number;
  /** The number of all that were offered. */
  total = 0;

  constructor(limit: number, compare: (a: Entry, b: Entry) => number) {
    this.limit = limit;
    this.compare = compare;
  }

  offer(kind: MatchKind, entry: Entry): void {
    this.total += 1;
    const kept = this.found.get(kind) ?? [];
    const last = kept.at(-1);
    if (kept.length === this.limit && last !== undefined && this.compare(last, entry) <= 0) return;
    kept.push(entry);
    kept.sort(this.compare);
    if (kept.length > this.limit) kept.pop();
  }

  /** The best ones, by kind of match and then in order. */
  best(): readonly { readonly match: MatchKind; readonly entry: Entry }[] {
    return matchKinds
      .flatMap((match) => (this.found.get(match) ?? []).map((entry) => ({ match, entry })))
      .slice(0, this.limit);
  }
}
