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
  /** The day on which the first one began, also before the period; infinite: there is none. */
  private firstBegun = Number.POSITIVE_INFINITY;

  constructor(period: { readonly from: Date; readonly to: Date }) {
    this.firstDay = Math.floor(period.from.getTime() / dayMs);
    this.changes = new Float64Array(daysOf(period).length + 1);
  }

  /** Adds what began before the end of the period. @param day a number of `dayNumber` */
  begin(count: number, day: number): void {
    if (day < this.firstBegun) this.firstBegun = day;
    this.change(day, count);
  }

  /** Takes what ended within the period out from then on. @param day a number of `dayNumber` */
  end(count: number, day: number): void {
    this.change(day, -count);
  }

  /** The start of the day on which the first one began; null: there is none. */
  begunAt(): Date | null {
    return Number.isFinite(this.firstBegun) ? new Date(this.firstBegun * dayMs) : null;
  }

  addAll(other: OpenByDay): void {
    this.firstBegun = Math.min(this.firstBegun, other.firstBegun);
    for (const [day, change] of other.changes.entries())
      this.changes[day] = (this.changes[day] ?? 0) + change;
  }

  /** By day; null for the days before the one of `knownFrom`, and for all if it is null. */
  counts(knownFrom: Date | null): readonly (number | null)[] {
    const known =
      knownFrom === null ? Number.POSITIVE_INFINITY : dayNumber(knownFrom.getTime()) - this.firstDay;
    let open = 0;
    return Array.from(this.changes.subarray(0, -1), (change, place) => {
      open += change;
      return place < known ? null : open;
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
