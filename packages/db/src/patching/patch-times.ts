import { matchCauses, type Severity, severities } from '@plimsoll/model';
import type { EndCause } from './host-walk.ts';
import { HourCounts } from './hour-counts.ts';
import { OpenByDay } from './open-by-day.ts';
import { CountReader, hoursBetween, type PatchStage, patchStages } from './patch-counts.ts';
import { type SurvivalPoint, survivalOf } from './survival.ts';

/** The days within which the closed share is told. */
export const patchDays = [3, 7, 14, 30, 90] as const;

/** How long exposures of one severity took in a period. */
export interface SeverityTimes {
  /** Ended by a change on the host in the period. */
  readonly closed: number;
  /** Open at the end of the period, with a fix; without those of silent hosts and waived ones. */
  readonly open: number;
  /** The same without a fix. */
  readonly openWithoutFix: number;
  /** Open at the end of the period and waived now: in no other number of open ones. */
  readonly openWaived: number;
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
  private readonly period: { readonly from: Date; readonly to: Date };
  private readonly to: number;
  private readonly sums: ReadonlyMap<Severity, SeveritySum>;
  /** By index in `severities`. */
  private readonly byIndex: readonly (SeveritySum | undefined)[];
  private readonly reader = new CountReader();

  /** @param severity the only one to sum up; null: every one except `none`. */
  constructor(period: { readonly from: Date; readonly to: Date }, severity: Severity | null) {
    this.period = period;
    this.to = period.to.getTime();
    const summed = severities.filter((each) => each !== 'none' && (severity === null || each === severity));
    this.sums = new Map(summed.map((each) => [each, new SeveritySum(period)]));
    this.byIndex = severities.map((each) => this.sums.get(each));
  }

  /** Adds encoded exposures that are open now, or ended after the end of the period. @param first to `last`: the bytes that count */
  addOpen(bytes: Uint8Array, isSilent: boolean, first = 0, last = bytes.length): void {
    const one = this.reader.read(bytes, first, last);
    while (one.next()) {
      if (one.from < this.to)
        this.byIndex[one.severity]?.addOpen(one, hoursBetween(one.from, this.to), isSilent);
    }
  }

  /** Adds encoded exposures that ended on a day (UTC) of the period. @param day any time of it, in milliseconds since 1970 */
  addEnded(bytes: Uint8Array, cause: EndCause, day: number, first = 0, last = bytes.length): void {
    const one = this.reader.read(bytes, first, last);
    while (one.next()) this.byIndex[one.severity]?.addEnded(one, cause, day);
  }

  /** All summed severities together. */
  total(): SeverityTimes {
    const all = new SeveritySum(this.period);
    for (const sum of this.sums.values()) all.addAll(sum);
    return all.times();
  }

  /** Every summed severity, the most severe first. */
  bySeverity(): ReadonlyMap<Severity, SeverityTimes> {
    return new Map([...this.sums].map(([severity, sum]) => [severity, sum.times()]));
  }
}

const noEnds = {
  advisory_published: 0,
  advisory_changed: 0,
  advisory_withdrawn: 0,
  rules_changed: 0,
  source_changed: 0,
};

/** The sum of one severity. */
class SeveritySum {
  private readonly closed = new HourCounts();
  private readonly open = new HourCounts();
  private openWithoutFix = 0;
  private openWaived = 0;
  private openOnSilentHosts = 0;
  private readonly endedOtherwise = { ...noEnds };
  /** In the order of `patchStages`. */
  private readonly stages = patchStages.map(() => new HourCounts());
  private readonly openByDay: OpenByDay;

  constructor(period: { readonly from: Date; readonly to: Date }) {
    this.openByDay = new OpenByDay(period);
  }

  addOpen({ count, hasFix, waived, from }: CountReader, age: number, isSilent: boolean): void {
    this.openByDay.add(count, from, null);
    if (isSilent) this.openOnSilentHosts += count;
    else if (waived) this.openWaived += count;
    else if (hasFix) this.open.add(age, count);
    else this.openWithoutFix += count;
  }

  addEnded({ count, hours, stages, from }: CountReader, cause: EndCause, day: number): void {
    this.openByDay.add(count, from, day);
    if (cause !== 'patched') {
      this.endedOtherwise[cause] += count;
      return;
    }
    this.closed.add(hours, count);
    for (let stage = 0; stage < stages.length; stage += 1) {
      const taken = stages[stage] ?? -1;
      if (taken >= 0) this.stages[stage]?.add(taken, count);
    }
  }

  addAll(other: SeveritySum): void {
    this.closed.addAll(other.closed);
    this.open.addAll(other.open);
    this.openWithoutFix += other.openWithoutFix;
    this.openWaived += other.openWaived;
    this.openOnSilentHosts += other.openOnSilentHosts;
    for (const cause of matchCauses) this.endedOtherwise[cause] += other.endedOtherwise[cause];
    for (const [stage, counts] of other.stages.entries()) this.stages[stage]?.addAll(counts);
    this.openByDay.addAll(other.openByDay);
  }

  times(): SeverityTimes {
    const median = (stage: PatchStage) => this.stages[patchStages.indexOf(stage)]?.quantile(1, 2) ?? null;
    return {
      closed: this.closed.total,
      open: this.open.total,
      openWithoutFix: this.openWithoutFix,
      openWaived: this.openWaived,
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
      curve: survivalOf(new Map(this.closed.entries()), new Map(this.open.entries())),
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
