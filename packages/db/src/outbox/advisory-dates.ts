import type { AdvisoryKey, Statement } from '@plimsoll/model';
import type { ListedEntry } from '../judging/counting/finding-list.ts';
import { advisoriesDated, type DueOn } from './list-marks.ts';

/** When the open advisories of a package version are due on a host. Equal objects for equal versions and hosts, if kept. */
export interface AdvisoryDates {
  /** In milliseconds since 1970. */
  readonly at: ReadonlyMap<AdvisoryKey, number>;
  /** The same times, ascending. */
  readonly times: readonly number[];
  /** Those for which a rule asks for forensics. */
  readonly forensic: ReadonlySet<AdvisoryKey>;
}

/** Kept advisories with a date, about 100 bytes each. */
const mostKept = 300_000;

/**
 * Dates of advisories within one look at hosts: thousands of hosts have the same package versions with the same marks, and
 * a kernel has more than a thousand open advisories.
 */
export class AdvisoryDatesReader {
  private readonly kept = new Map<string, AdvisoryDates>();
  private advisories = 0;

  /** @param statements those about the version of the entry, the same for each call with this version */
  of(entry: ListedEntry, statements: readonly Statement[], on: DueOn): AdvisoryDates {
    const key = keyOf(entry, on);
    const known = this.kept.get(key);
    if (known !== undefined) return known;
    const dated = advisoriesDated(entry, statements, on);
    const at = new Map(dated.map((each) => [each.advisory, each.at]));
    const forensic = new Set(dated.flatMap(({ advisory, forensics }) => (forensics ? [advisory] : [])));
    const dates = { at, times: [...at.values()].sort((a, b) => a - b), forensic };
    if (this.advisories > mostKept) {
      this.kept.clear();
      this.advisories = 0;
    }
    this.kept.set(key, dates);
    this.advisories += at.size + 1;
    return dates;
  }
}

/** Everything that the dates depend on, except the statements about the version. */
function keyOf(
  { versionId, mark, exceptions }: ListedEntry,
  { key, installedAt, firstReportAt }: DueOn,
): string {
  const marks = [mark, ...exceptions.map((exception) => exception.mark)].map(
    ({ state, waived, dueMinute }) => `${state ?? ''}${waived ? '!' : ''}${dueMinute ?? ''}`,
  );
  const advisories = exceptions.map(({ advisory }) => advisory);
  return [versionId, installedAt(versionId), firstReportAt, marks, advisories, key].join(' ');
}

/** The first of ascending times that is later than a time; infinite: none is. */
export function firstAfter(times: readonly number[], time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((times[middle] ?? Number.POSITIVE_INFINITY) > time) high = middle;
    else low = middle + 1;
  }
  return times[low] ?? Number.POSITIVE_INFINITY;
}
