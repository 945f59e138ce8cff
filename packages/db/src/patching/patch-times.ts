import { type MatchCause, matchCauses, type Severity, severities } from '@plimsoll/model';
import type { EndCause } from './host-walk.ts';
import { HourCounts } from './hour-counts.ts';
import { dayNumber, OpenByDay } from './open-by-day.ts';
import { CountReader, hoursBetween, type PatchStage, patchStages } from './patch-counts.ts';
import type { PatchRow } from './patch-words.ts';
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
  /** Median hours of the closed ones of which a stage is known; null if of none. */
  readonly stages: Readonly<Record<PatchStage, number | null>>;
  /** Of `closed` and `open`: the estimated share that is open for longer than some days. */
  readonly curve: readonly SurvivalPoint[];
  /** What was open at the end of each day, with and without a fix, also on silent hosts; null: not known. See daysOf. */
  readonly openByDay: readonly (number | null)[];
}

const hoursPerDay = 24;
const hourMs = 3_600_000;

/** Sums up the exposures of a period by severity. */
export class PatchTimes {
  private readonly period: { readonly from: Date; readonly to: Date };
  private readonly to: number;
  /** `to` as words of PatchRow have times. */
  private readonly toHour: number;
  private readonly toRest: number;
  private readonly sums: ReadonlyMap<Severity, SeveritySum>;
  /** By index in `severities`. */
  private readonly byIndex: readonly (SeveritySum | undefined)[];
  private readonly reader = new CountReader();

  /** @param severity the only one to sum up; null: every one except `none`. */
  constructor(period: { readonly from: Date; readonly to: Date }, severity: Severity | null) {
    this.period = period;
    this.to = period.to.getTime();
    this.toHour = Math.floor(this.to / hourMs);
    this.toRest = this.to - this.toHour * hourMs;
    const summed = severities.filter((each) => each !== 'none' && (severity === null || each === severity));
    this.sums = new Map(summed.map((each) => [each, new SeveritySum(period)]));
    this.byIndex = severities.map((each) => this.sums.get(each));
  }

  /** Adds encoded exposures that are open now, or ended after the end of the period. @param first to `last`: the bytes that count */
  addOpen(bytes: Uint8Array, isSilent: boolean, first = 0, last = bytes.length): void {
    const one = this.reader.read(bytes, first, last);
    while (one.next()) {
      const { severity, count, hasFix, from, timedFrom } = one;
      if (from >= this.to) continue;
      const sum = this.byIndex[severity];
      sum?.addOpen(count, hasFix, isSilent, dayNumber(from), hoursBetween(timedFrom, this.to));
    }
  }

  /** The same of a row of words. */
  addOpenWords({ words, first, last, width, isContinuing }: PatchRow, isSilent: boolean): void {
    const { toHour, toRest, byIndex } = this;
    for (let at = first; at < last; at += width) {
      const said = words[at] ?? 0;
      const begun = words[at + 1] ?? 0;
      const hour = begun >>> 12;
      const rest = said >>> 5;
      if (hour > toHour || (hour === toHour && rest >= toRest)) continue;
      const timedHour = isContinuing ? (words[at + width - 2] ?? 0) : hour;
      const timedRest = isContinuing ? (words[at + width - 1] ?? 0) : rest;
      const age = toHour - timedHour + (toRest > timedRest ? 1 : 0);
      const sum = byIndex[said & 7];
      sum?.addOpen(begun & 4095, (said & 8) !== 0, isSilent, (hour / 24) | 0, age);
    }
  }

  /** Takes encoded exposures that are among the open ones, and were waived until after the end of the period, out of them. */
  addWaived(bytes: Uint8Array, isSilent: boolean, first = 0, last = bytes.length): void {
    this.addSpans({ bytes, first, last }, isSilent, 'addWaived');
  }

  /**
   * Counts encoded exposures that are among the open ones, and not among the waived ones, as with a fix if they were counted
   * without one, and the reverse: this was known until after the end of the period.
   */
  addRestated(bytes: Uint8Array, isSilent: boolean, first = 0, last = bytes.length): void {
    this.addSpans({ bytes, first, last }, isSilent, 'addRestated');
  }

  /** The same of a row of words. */
  addWaivedWords(row: PatchRow, isSilent: boolean): void {
    this.addSpanWords(row, isSilent, 'addWaived');
  }

  /** The same of a row of words. */
  addRestatedWords(row: PatchRow, isSilent: boolean): void {
    this.addSpanWords(row, isSilent, 'addRestated');
  }

  private addSpans(
    { bytes, first, last }: { readonly bytes: Uint8Array; readonly first: number; readonly last: number },
    isSilent: boolean,
    to: 'addWaived' | 'addRestated',
  ): void {
    const one = this.reader.read(bytes, first, last);
    while (one.next()) {
      const { severity, count, hasFix, from, stages } = one;
      const since = (stages[0] ?? 0) * 1000 + (stages[3] ?? 0);
      if (from >= this.to || since > this.to || isSilent) continue;
      this.byIndex[severity]?.[to](count, hasFix, hoursBetween(from, this.to));
    }
  }

  private addSpanWords(
    { words, first, last, width }: PatchRow,
    isSilent: boolean,
    to: 'addWaived' | 'addRestated',
  ): void {
    if (isSilent) return;
    for (let at = first; at < last; at += width) {
      const said = words[at] ?? 0;
      const begun = words[at + 1] ?? 0;
      const from = (begun >>> 12) * hourMs + (said >>> 5);
      const since = ((words[at + 4] ?? 1) - 1) * 1000 + ((words[at + 2] ?? 1) & 65_535) - 1;
      if (from >= this.to || since > this.to) continue;
      this.byIndex[said & 7]?.[to](begun & 4095, (said & 8) !== 0, hoursBetween(from, this.to));
    }
  }

  /** Adds encoded exposures that ended on a day (UTC) of the period. @param day any time of it, in milliseconds since 1970 */
  addEnded(bytes: Uint8Array, cause: EndCause, day: number, first = 0, last = bytes.length): void {
    const one = this.reader.read(bytes, first, last);
    while (one.next()) {
      const sum = this.byIndex[one.severity];
      sum?.addEnded(one.count, cause, dayNumber(one.from), dayNumber(day));
      if (cause !== 'patched') continue;
      const [known = -1, offered = -1, installed = -1, running = -1] = one.stages;
      sum?.addTimes(one.count, one.hours, known, offered, installed, running);
    }
  }

  /** The same of a row of words. @param day a number of `dayNumber` */
  addEndedWords({ words, first, last, width }: PatchRow, cause: EndCause, day: number): void {
    const isPatched = cause === 'patched';
    for (let at = first; at < last; at += width) {
      const begun = words[at + 1] ?? 0;
      const sum = this.byIndex[(words[at] ?? 0) & 7];
      if (sum === undefined) continue;
      const count = begun & 4095;
      sum.addEnded(count, cause, ((begun >>> 12) / 24) | 0, day);
      if (!isPatched) continue;
      const taken = words[at + 2] ?? 0;
      const reached = words[at + 3] ?? 0;
      const known = (words[at + 4] ?? 0) - 1;
      sum.addTimes(
        count,
        taken >>> 16,
        known,
        (reached >>> 16) - 1,
        (reached & 65_535) - 1,
        (taken & 65_535) - 1,
      );
    }
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
  private readonly open = new HourCounts();
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

  /** @param age in hours at the end of the period */
  addOpen(count: number, hasFix: boolean, isSilent: boolean, fromDay: number, age: number): void {
    this.openByDay.add(count, fromDay, null);
    if (isSilent) this.openOnSilentHosts += count;
    else if (hasFix) this.open.add(age, count);
    else this.openWithoutFix += count;
  }

  /** Counts those apart that addOpen counts. @param age as there */
  addWaived(count: number, hasFix: boolean, age: number): void {
    this.openWaived += count;
    if (hasFix) this.open.add(age, -count);
    else this.openWithoutFix -= count;
  }

  /** Counts those that addOpen counted with a fix without one, and the reverse. @param age as there */
  addRestated(count: number, hadFix: boolean, age: number): void {
    const moved = hadFix ? -count : count;
    this.open.add(age, moved);
    this.openWithoutFix -= moved;
  }

  /** Those with the cause `patched` also need addTimes. */
  addEnded(count: number, cause: EndCause, fromDay: number, day: number): void {
    this.openByDay.add(count, fromDay, day);
    if (cause !== 'patched' && cause !== 'continued') this.endedOtherwise[cause] += count;
  }

  /** The stages in the order of `patchStages`; -1: null. */
  addTimes(
    count: number,
    hours: number,
    known: number,
    offered: number,
    installed: number,
    running: number,
  ): void {
    this.closed.add(hours, count);
    if (known >= 0) this.known.add(known, count);
    if (offered >= 0) this.offered.add(offered, count);
    if (installed >= 0) this.installed.add(installed, count);
    if (running >= 0) this.running.add(running, count);
  }

  addAll(other: SeveritySum): void {
    this.closed.addAll(other.closed);
    this.open.addAll(other.open);
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
      curve: survivalOf(this.closed.toMap(), this.open.toMap()),
      openByDay: this.openByDay.counts(knownFrom),
    };
  }

  /** Of the closed ones and those that are open for longer, the share that was closed within some hours. */
  private shareWithin(hours: number): number | null {
    const late = this.open.total - this.open.upTo(hours);
    const judged = this.closed.total + late;
    return judged === 0 ? null : this.closed.upTo(hours) / judged;
  }
}
