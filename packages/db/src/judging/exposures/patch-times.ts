import { type MatchCause, matchCauses, type Severity, severities } from '@plimsoll/model';
import { type CountedAs, type PatchStage, patchStages } from './exposure-counts.ts';
import { HourCounts } from './hour-counts.ts';
import { OpenByDay } from './open-by-day.ts';

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
  /** Open at the end of the period and waived then: in no other number of open ones. */
  readonly openWaived: number;
  /** Open at the end of the period on silent hosts. */
  readonly openOnSilentHosts: number;
  /** Ended in the period by a change of what is known. */
  readonly endedOtherwise: Readonly<Record<MatchCause, number>>;
  /** Hours that half, and nine in ten, of the closed ones took at most; null if none was closed. */
  readonly medianHours: number | null;
  readonly p90Hours: number | null;
  /** In the order of `patchDays`; null if nothing can be said. */
  readonly within: readonly (number | null)[];
  /**
   * In the order of `patchDays`: of those that became fixable in the period, those that were closed within so many days, of
   * these and those that were open after them. Only days that are over count, also those after the period.
   */
  readonly cohorts: readonly Cohort[];
  /** Median hours of the closed ones of which a stage is known; null if of none. */
  readonly stages: Readonly<Record<PatchStage, number | null>>;
  /** What was open at the end of each day, with and without a fix, also on silent hosts; null: not known. See daysOf. */
  readonly openByDay: readonly (number | null)[];
}

/** `closed` of `of` exposures. */
export interface Cohort {
  readonly closed: number;
  readonly of: number;
}

/** The cohorts of a severity, in the order of `patchDays`. */
export interface CohortCount {
  readonly severity: Severity;
  readonly closed: readonly number[];
  readonly of: readonly number[];
}

const hoursPerDay = 24;

/** A number of exposures that are open at the end of a period, or of time spans in such. */
export interface OpenCount {
  readonly severity: Severity;
  /** `open` also of exposures that ended later. */
  readonly counted: 'open' | 'waived' | 'restated';
  readonly hasFix: boolean;
  readonly isSilent: boolean;
  /** The day on which they began: a number of `dayNumber`. */
  readonly day: number;
  /** How many of `patchDays` were ahead at the end of the period: 0 of those that are open for longer than all of them. */
  readonly limitsAhead: number;
  readonly count: number;
}

/** A number of exposures that ended in a period, by one of their properties; the others are null. Days are numbers of `dayNumber`. */
export interface EndedCount extends Readonly<Record<PatchStage, number | null>> {
  readonly severity: Severity;
  /** With `endDay`. */
  readonly cause: CountedAs | null;
  readonly endDay: number | null;
  readonly beginDay: number | null;
  readonly hours: number | null;
  readonly count: number;
}

/** Sums up the exposures of a period by severity. */
export class PatchTimes {
  private readonly period: { readonly from: Date; readonly to: Date };
  private readonly sums: ReadonlyMap<Severity, SeveritySum>;

  /** @param severity the only one to sum up; null: every one except `none`. */
  constructor(period: { readonly from: Date; readonly to: Date }, severity: Severity | null) {
    this.period = period;
    const summed = severities.filter((each) => each !== 'none' && (severity === null || each === severity));
    this.sums = new Map(summed.map((each) => [each, new SeveritySum(period)]));
  }

  addOpen(one: OpenCount): void {
    this.sums.get(one.severity)?.addOpen(one);
  }

  addEnded(one: EndedCount): void {
    this.sums.get(one.severity)?.addEnded(one);
  }

  addCohort({ severity, ...counts }: CohortCount): void {
    this.sums.get(severity)?.addCohort(counts);
  }

  /** The start of the day (UTC) on which the first exposure began; null: there is none. */
  begunAt(): Date | null {
    return this.sum().begunAt();
  }

  /** All summed severities together. @param knownFrom see OpenByDay.counts */
  total(knownFrom: Date | null): SeverityTimes {
    return this.sum().times(knownFrom);
  }

  /** Every summed severity, the most severe first. */
  bySeverity(knownFrom: Date | null): ReadonlyMap<Severity, SeverityTimes> {
    return new Map([...this.sums].map(([severity, sum]) => [severity, sum.times(knownFrom)]));
  }

  private sum(): SeveritySum {
    const all = new SeveritySum(this.period);
    for (const sum of this.sums.values()) all.addAll(sum);
    return all;
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
  /** By `limitsAhead`. */
  private readonly open: number[] = Array(patchDays.length + 1).fill(0);
  private readonly cohorts = patchDays.map(() => ({ closed: 0, of: 0 }));
  private openWithoutFix = 0;
  private openWaived = 0;
  private openOnSilentHosts = 0;
  private readonly endedOtherwise = { ...noEnds };
  private readonly known = new HourCounts();
  private readonly offered = new HourCounts();
  private readonly installed = new HourCounts();
  private readonly running = new HourCounts();
  private readonly openByDay: OpenByDay;

  constructor(period: { readonly from: Date; readonly to: Date }) {
    this.openByDay = new OpenByDay(period);
  }

  addOpen({ counted, hasFix, isSilent, day, limitsAhead, count }: OpenCount): void {
    if (counted === 'open') {
      this.openByDay.begin(count, day);
      if (isSilent) this.openOnSilentHosts += count;
      else this.move(count, hasFix, limitsAhead);
    } else if (!isSilent) {
      // They are among the open ones: counted apart, or with a fix instead of without one, and the reverse.
      this.move(-count, hasFix, limitsAhead);
      if (counted === 'waived') this.openWaived += count;
      else this.move(count, !hasFix, limitsAhead);
    }
  }

  private move(count: number, hasFix: boolean, limitsAhead: number): void {
    if (hasFix) this.open[limitsAhead] = (this.open[limitsAhead] ?? 0) + count;
    else this.openWithoutFix += count;
  }

  addEnded({ cause, beginDay, endDay, hours, count, ...stages }: EndedCount): void {
    if (beginDay !== null) this.openByDay.begin(count, beginDay);
    if (endDay !== null) this.openByDay.end(count, endDay);
    const other = matchCauses.find((each) => each === cause);
    if (other !== undefined) this.endedOtherwise[other] += count;
    if (hours !== null) this.closed.add(hours, count);
    for (const stage of patchStages) {
      const took = stages[stage];
      if (took !== null) this[stage].add(took, count);
    }
  }

  addCohort({ closed, of }: Omit<CohortCount, 'severity'>): void {
    for (const [n, cohort] of this.cohorts.entries()) {
      cohort.closed += closed[n] ?? 0;
      cohort.of += of[n] ?? 0;
    }
  }

  addAll(other: SeveritySum): void {
    this.addCohort({
      closed: other.cohorts.map(({ closed }) => closed),
      of: other.cohorts.map((cohort) => cohort.of),
    });
    this.closed.addAll(other.closed);
    for (const [limitsAhead, count] of other.open.entries()) this.move(count, true, limitsAhead);
    this.openWithoutFix += other.openWithoutFix;
    this.openWaived += other.openWaived;
    this.openOnSilentHosts += other.openOnSilentHosts;
    for (const cause of matchCauses) this.endedOtherwise[cause] += other.endedOtherwise[cause];
    for (const stage of patchStages) this[stage].addAll(other[stage]);
    this.openByDay.addAll(other.openByDay);
  }

  begunAt(): Date | null {
    return this.openByDay.begunAt();
  }

  times(knownFrom: Date | null): SeverityTimes {
    const median = (stage: PatchStage) => this[stage].quantile(1, 2);
    return {
      closed: this.closed.total,
      open: this.openUpTo(patchDays.length),
      openWithoutFix: this.openWithoutFix,
      openWaived: this.openWaived,
      openOnSilentHosts: this.openOnSilentHosts,
      endedOtherwise: { ...this.endedOtherwise },
      medianHours: this.closed.quantile(1, 2),
      p90Hours: this.closed.quantile(9, 10),
      within: patchDays.map((days, n) =>
        this.shareWithin(days * hoursPerDay, this.openUpTo(patchDays.length - 1 - n)),
      ),
      cohorts: this.cohorts.map((cohort) => ({ ...cohort })),
      stages: {
        known: median('known'),
        offered: median('offered'),
        installed: median('installed'),
        running: median('running'),
      },
      openByDay: this.openByDay.counts(knownFrom),
    };
  }

  /** The number of open ones with at most so many limits ahead. */
  private openUpTo(limitsAhead: number): number {
    return this.open.slice(0, limitsAhead + 1).reduce((sum, count) => sum + count, 0);
  }

  /** Of the closed ones and those that are open for longer, the share that was closed within some hours. */
  private shareWithin(hours: number, late: number): number | null {
    const judged = this.closed.total + late;
    return judged === 0 ? null : this.closed.upTo(hours) / judged;
  }
}
