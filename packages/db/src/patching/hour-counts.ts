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
    for (const [hours, count] of other.entries()) this.add(hours, count);
  }

  /** Hours with their numbers, ascending, without zeros. */
  *entries(): Generator<readonly [hours: number, count: number]> {
    for (const [hours, count] of this.few.entries()) if (count > 0) yield [hours, count];
    yield* [...this.many].sort(([a], [b]) => a - b);
  }

  /** The number of those that took at most some hours. */
  upTo(most: number): number {
    let sum = 0;
    for (const [hours, count] of this.entries()) {
      if (hours > most) break;
      sum += count;
    }
    return sum;
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

  private grow(hours: number): void {
    const larger = new Float64Array(Math.min(hoursInArray, Math.max(hours + 1, this.few.length * 2)));
    larger.set(this.few);
    this.few = larger;
  }
}
