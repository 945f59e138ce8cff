import { type Severity, severities } from '@plimsoll/model';
import type { EndCause } from './host-walk.ts';
import { OpenByDay } from './open-by-day.ts';
import {
  type CountedExposures,
  eachCount,
  hoursBetween,
  type PatchStage,
  patchStages,
} from './patch-counts.ts';
import { type SurvivalPoint, survivalOf } from './survival.ts';

/** The days within which the closed share is told. */
export const patchDays = [3, 7, 14, 30, 90] as const;

/** How long exposures of one severity took in a period. */
export interface SeverityTimes {
  /** Ended by a change on the host in the period. */
  readonly closed: number;
  /** Open at the end of the period, with a fix; without those of silent hosts. */
  readonly open: number;
  /** The same without a fix. */
  readonly openWithoutFix: number;
  /** Open at the end of the period on silent hosts. */
  readonly openOnSilentHosts: number;
  /** Ended in the period by a change of what is known. */
  readonly endedOtherwise: Readonly<Record<Exclude<EndCause, 'patched'>, number>>;
  /** Hours that half, and nine in ten, of the closed ones took at most; null if none was closed. */
  readonly medianHours: number | null;
  readonly p90Hours: number | null;
  /** In the order of `patchDays`; null if nothing can be said. */
  readonly within: readonly (number | null)[];
  /** Median hours of the closed ones of which a stage is known; null if of none. */
  readonly stages: Readonly<Record<PatchStage, number | null>>;
  /** Of `closed` and `open`: the estimated share that is open for longer than some days. */
  readonly curve: readonly SurvivalPoint[];
  /** What was open at the end of each day, with and without a fix, also on silent hosts; see daysOf. */
  readonly openByDay: readonly number[];
}

const hoursPerDay = 24;

/** Sums up the exposures of a period by severity. */
export class PatchTimes {
  private readonly to: number;
  private readonly sums: ReadonlyMap<Severity, SeveritySum>;
  private readonly all: SeveritySum;

  /** @param severity the only one to sum up; null: every one except `none`. */
  constructor(period: { readonly from: Date; readonly to: Date }, severity: Severity | null) {
    this.to = period.to.getTime();
    const summed = severities.filter((each) => each !== 'none' && (severity === null || each === severity));
    this.sums = new Map(summed.map((each) => [each, new SeveritySum(period)]));
    this.all = new SeveritySum(period);
  }

  /** Adds encoded exposures that are open now, or ended after the end of the period. */
  addOpen(bytes: Uint8Array, isSilent: boolean): void {
    eachCount(bytes, (counts) => {
      if (counts.from >= this.to) return;
      const age = hoursBetween(counts.from, this.to);
      for (const sum of this.sumsOf(counts)) sum.addOpen(counts, { age, isSilent });
    });
  }

  /** Adds encoded exposures that ended on a day (UTC) of the period. @param day any time of it */
  addEnded(bytes: Uint8Array, cause: EndCause, day: Date): void {
    eachCount(bytes, (counts) => {
      for (const sum of this.sumsOf(counts)) sum.addEnded(counts, cause, day.getTime());
    });
  }

  /** All summed severities together. */
  total(): SeverityTimes {
    return this.all.times();
  }

  private sumsOf({ severity }: CountedExposures): readonly SeveritySum[] {
    const own = this.sums.get(severity);
    return own === undefined ? [] : [own, this.all];
  }

  /** Every summed severity, the most severe first. */
  bySeverity(): ReadonlyMap<Severity, SeverityTimes> {
    return new Map([...this.sums].map(([severity, sum]) => [severity, sum.times()]));
  }
}

/** The sum of one severity. */
class SeveritySum {
  private readonly closed = new Distribution();
  private readonly open = new Distribution();
  private openWithoutFix = 0;
  private openOnSilentHosts = 0;
  private readonly endedOtherwise = {
    advisory_published: 0,
    advisory_changed: 0,
    advisory_withdrawn: 0,
    rules_changed: 0,
    source_changed: 0,
  };
  private readonly stages = new Map(patchStages.map((stage) => [stage, new Distribution()]));
  private readonly openByDay: OpenByDay;

  constructor(period: { readonly from: Date; readonly to: Date }) {
    this.openByDay = new OpenByDay(period);
  }

  addOpen(
    { count, hasFix, from }: CountedExposures,
    { age, isSilent }: { readonly age: number; readonly isSilent: boolean },
  ): void {
    this.openByDay.add(count, from, null);
    if (isSilent) this.openOnSilentHosts += count;
    else if (hasFix) this.open.add(age, count);
    else this.openWithoutFix += count;
  }

  addEnded({ count, hours: taken, stages, from }: CountedExposures, cause: EndCause, day: number): void {
    this.openByDay.add(count, from, day);
    if (cause !== 'patched') {
      this.endedOtherwise[cause] += count;
      return;
    }
    this.closed.add(taken, count);
    for (const [stage, distribution] of this.stages) {
      const hours = stages[stage];
      if (hours !== null) distribution.add(hours, count);
    }
  }

  times(): SeverityTimes {
    const median = (stage: PatchStage) => this.stages.get(stage)?.quantile(1, 2) ?? null;
    return {
      closed: this.closed.total,
      open: this.open.total,
      openWithoutFix: this.openWithoutFix,
      openOnSilentHosts: this.openOnSilentHosts,
      endedOtherwise: { ...this.endedOtherwise },
      medianHours: this.closed.quantile(1, 2),
      p90Hours: this.closed.quantile(9, 10),
      within: patchDays.map((days) => this.shareWithin(days * hoursPerDay)),
      stages: {
        known: median('known'),
        offered: median('offered'),
        installed: median('installed'),
        running: median('running'),
      },
      curve: survivalOf(this.closed.counts, this.open.counts),
      openByDay: this.openByDay.counts(),
    };
  }

  /** Of the closed ones and those that are open for longer, the share that was closed within some hours. */
  private shareWithin(hours: number): number | null {
    const late = this.open.total - this.open.upTo(hours);
    const judged = this.closed.total + late;
    return judged === 0 ? null : this.closed.upTo(hours) / judged;
  }
}

/** Numbers of exposures by whole hours. */
class Distribution {
  total = 0;
  readonly counts = new Map<number, number>();

  add(hours: number, count: number): void {
    this.total += count;
    this.counts.set(hours, (this.counts.get(hours) ?? 0) + count);
  }

  /** The number of those that took at most some hours. */
  upTo(hours: number): number {
    let sum = 0;
    for (const [each, count] of this.counts) if (each <= hours) sum += count;
    return sum;
  }

  /** The fewest hours that a part of all took at most; null if there are none. */
  quantile(part: number, of: number): number | null {
    let sum = 0;
    for (const [hours, count] of [...this.counts].sort(([a], [b]) => a - b)) {
      sum += count;
      if (sum * of >= this.total * part) return hours;
    }
    return null;
  }
}
