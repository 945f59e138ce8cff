const dayMs = 24 * 3600 * 1000;

/** The number of the day (UTC) of a time in milliseconds since 1970. */
export function dayNumber(time: number): number {
  return Math.floor(time / dayMs);
}

/** The days (UTC) that a period touches, the oldest first: `2026-11-23`. */
export function daysOf({ from, to }: { readonly from: Date; readonly to: Date }): readonly string[] {
  const first = Math.floor(from.getTime() / dayMs);
  const last = Math.ceil(to.getTime() / dayMs) - 1;
  return Array.from({ length: last - first + 1 }, (_, n) =>
    new Date((first + n) * dayMs).toISOString().slice(0, 10),
  );
}

/** Counts what was open at the end of each day of a period; of the last one: at the end of the period. */
export class OpenByDay {
  private readonly firstDay: number;
  private readonly changes: Float64Array;

  constructor(period: { readonly from: Date; readonly to: Date }) {
    this.firstDay = Math.floor(period.from.getTime() / dayMs);
    this.changes = new Float64Array(daysOf(period).length + 1);
  }

  /**
   * Adds what began before the end of the period. Days are numbers of `dayNumber`.
   * @param until the day on which it ended; null: not within the period.
   */
  add(count: number, from: number, until: number | null): void {
    this.change(from, count);
    if (until !== null) this.change(until, -count);
  }

  addAll(other: OpenByDay): void {
    for (const [day, change] of other.changes.entries())
      this.changes[day] = (this.changes[day] ?? 0) + change;
  }

  /** By day. */
  counts(): readonly number[] {
    let open = 0;
    return [...this.changes.subarray(0, -1)].map((change) => {
      open += change;
      return open;
    });
  }

  private change(day: number, count: number): void {
    const { changes } = this;
    let place = day - this.firstDay;
    if (place < 0) place = 0;
    else if (place >= changes.length) place = changes.length - 1;
    changes[place] = (changes[place] ?? 0) + count;
  }
}
