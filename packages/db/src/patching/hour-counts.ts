/** Hours below this are counted in an array: eleven years. */
const hoursInArray = 100_000;
const firstCapacity = 256;

/** Numbers of exposures by whole hours. */
export class HourCounts {
  total = 0;
  private few = new Float64Array(firstCapacity);
  private readonly many = new Map<number, number>();

  add(hours: number, count: number): void {
    this.total += count;
    if (hours >= hoursInArray) {
      this.many.set(hours, (this.many.get(hours) ?? 0) + count);
      return;
    }
    if (hours >= this.few.length) this.grow(hours);
    this.few[hours] = (this.few[hours] ?? 0) + count;
  }

  addAll(other: HourCounts): void {
    const { few } = other;
    this.grow(few.length - 1);
    for (let hours = 0; hours < few.length; hours += 1)
      this.few[hours] = (this.few[hours] ?? 0) + (few[hours] ?? 0);
    for (const [hours, count] of other.many) this.many.set(hours, (this.many.get(hours) ?? 0) + count);
    this.total += other.total;
  }

  /** By hours, without zeros. */
  toMap(): ReadonlyMap<number, number> {
    const counts = new Map<number, number>();
    this.each((hours, count) => {
      counts.set(hours, count);
      return true;
    });
    return counts;
  }

  /** The number of those that took at most some hours. */
  upTo(most: number): number {
    let sum = 0;
    this.each((hours, count) => {
      if (hours > most) return false;
      sum += count;
      return true;
    });
    return sum;
  }

  /** The fewest hours that a part of all took at most; null if there are none. */
  quantile(part: number, of: number): number | null {
    let sum = 0;
    let found: number | null = null;
    this.each((hours, count) => {
      sum += count;
      if (sum * of >= this.total * part) found = hours;
      return found === null;
    });
    return found;
  }

  /** Calls `take` with hours and their numbers, ascending, without zeros, until it returns false. */
  private each(take: (hours: number, count: number) => boolean): void {
    const { few } = this;
    for (let hours = 0; hours < few.length; hours += 1) {
      const count = few[hours] ?? 0;
      if (count > 0 && !take(hours, count)) return;
    }
    for (const [hours, count] of [...this.many].sort(([a], [b]) => a - b)) if (!take(hours, count)) return;
  }

  private grow(hours: number): void {
    if (hours < this.few.length) return;
    const larger = new Float64Array(Math.min(hoursInArray, Math.max(hours + 1, this.few.length * 2)));
    larger.set(this.few);
    this.few = larger;
  }
}
