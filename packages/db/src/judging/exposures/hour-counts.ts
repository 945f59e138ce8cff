/** Numbers of exposures by whole hours. */
export class HourCounts {
  total = 0;
  private readonly counts = new Map<number, number>();

  add(hours: number, count: number): void {
    this.total += count;
    this.counts.set(hours, (this.counts.get(hours) ?? 0) + count);
  }

  addAll(other: HourCounts): void {
    for (const [hours, count] of other.counts) this.add(hours, count);
  }

  /** Hours and their numbers, ascending, without zeros. */
  entries(): readonly (readonly [number, number])[] {
    return [...this.counts].filter(([, count]) => count > 0).sort(([a], [b]) => a - b);
  }

  /** The number of those that took at most some hours. */
  upTo(most: number): number {
    return this.entries().reduce((sum, [hours, count]) => (hours > most ? sum : sum + count), 0);
  }

  /** The fewest hours that a part of all took at most; null if there are none. */
  quantile(part: number, of: number): number | null {
    let sum = 0;
    for (const [hours, count] of this.entries()) {
      sum += count;
      if (sum * of >= this.total * part) return hours;
    }
    return null;
  }
}
