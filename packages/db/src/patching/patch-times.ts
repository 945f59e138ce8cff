import { type Severity, severities } from '@plimsoll/model';
import type { EndCause } from './host-walk.ts';
import {
  type CountedExposures,
  eachCount,
  hoursBetween,
  type PatchStage,
  patchStages,
} from './patch-counts.ts';

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
}

const hoursPerDay = 24;

/** Sums up the exposures of a period by severity. */
export class PatchTimes {
  private readonly to: number;
  private readonly sums: ReadonlyMap<Severity, SeveritySum> = new Map(
    severities.filter((severity) => severity !== 'none').map((severity) => [severity, new SeveritySum()]),
  );

  constructor(to: Date) {
    this.to = to.getTime();
  }

  /** Adds encoded exposures that are open now, or ended after the end of the period. */
  addOpen(bytes: Uint8Array, isSilent: boolean): void {
    eachCount(bytes, (counts) => {
      if (counts.from >= this.to) return;
      const age = hoursBetween(counts.from, this.to);
      this.sums.get(counts.severity)?.addOpen(counts, { age, isSilent });
    });
  }

  /** Adds encoded exposures that ended in the period. */
  addEnded(bytes: Uint8Array, cause: EndCause): void {
    eachCount(bytes, (counts) => this.sums.get(counts.severity)?.addEnded(counts, cause));
  }

  /** Every severity except `none`, the most severe first. */
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

  addOpen(
    { count, hasFix }: CountedExposures,
    { age, isSilent }: { readonly age: number; readonly isSilent: boolean },
  ): void {
    if (isSilent) this.openOnSilentHosts += count;
    else if (hasFix) this.open.add(age, count);
    else this.openWithoutFix += count;
  }

  addEnded({ count, hours: taken, stages }: CountedExposures, cause: EndCause): void {
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
  private readonly counts = new Map<number, number>();

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
