/**
 * The order of hosts by a text, then by nothing: positions in ascending order of their UTF-16 code units. Kept sorted by
 * merging changed positions in, because most reads follow few changes.
 */
export class TextOrder {
  private sorted: number[] = [];
  private readonly changed = new Set<number>();
  private readonly removed = new Set<number>();

  private readonly textOf: (position: number) => string;

  constructor(textOf: (position: number) => string) {
    this.textOf = textOf;
  }

  /** Adds a position, or notes that its text has changed. */
  add(position: number): void {
    this.removed.delete(position);
    this.changed.add(position);
  }

  remove(position: number): void {
    this.changed.delete(position);
    this.removed.add(position);
  }

  /** The positions in order; ties are in the order of `before`. */
  positions(before: (a: number, b: number) => number): readonly number[] {
    if (this.changed.size === 0 && this.removed.size === 0) return this.sorted;
    const compare = (a: number, b: number): number => {
      const [x, y] = [this.textOf(a), this.textOf(b)];
      return x < y ? -1 : x > y ? 1 : before(a, b);
    };
    const kept = this.sorted.filter((position) => !this.changed.has(position) && !this.removed.has(position));
    const added = [...this.changed].sort(compare);
    this.sorted = kept.length === 0 ? added : merge(kept, added, compare);
    this.changed.clear();
    this.removed.clear();
    return this.sorted;
  }
}

function merge(
  left: readonly number[],
  right: readonly number[],
  compare: (a: number, b: number) => number,
): number[] {
  const merged: number[] = [];
  let at = 0;
  for (const position of left) {
    for (let next = right[at]; next !== undefined && compare(next, position) < 0; next = right[at]) {
      merged.push(next);
      at += 1;
    }
    merged.push(position);
  }
  for (; at < right.length; at += 1) merged.push(right[at] ?? 0);
  return merged;
}
