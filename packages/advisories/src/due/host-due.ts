import type { PackageVersionId } from '@plimsoll/model';
import type { DueSpan } from './deadline.ts';
import type { DueTerms } from './due-policy.ts';

/** By what the findings of a host are due. */
export interface HostDue {
  readonly terms: DueTerms;
  /** The time of counting, in milliseconds since 1970. */
  readonly now: number;
  /** When the host got a package version, in milliseconds since 1970. */
  installedAt(id: PackageVersionId): number;
  /** The spans of summaries by these terms, kept between hosts. */
  readonly spans: WeakMap<object, DueSpan>;
}

/** The due dates of a host. */
export interface DueTotals {
  /** The earliest due date of an open finding; null without any. */
  readonly dueAt: Date | null;
  /** Findings whose due date has come. */
  readonly overdue: number;
  /** The earliest due date that has not come: then the host is counted again. Null: there is none. */
  readonly nextDueAt: Date | null;
}

/** Combines the times at which findings are due. */
export function dueTotalsOf(times: Iterable<number>, now: number): DueTotals {
  let earliest = Number.POSITIVE_INFINITY;
  let next = Number.POSITIVE_INFINITY;
  let overdue = 0;
  for (const time of times) {
    earliest = Math.min(earliest, time);
    if (time <= now) overdue += 1;
    else next = Math.min(next, time);
  }
  return { dueAt: dateOf(earliest), overdue, nextDueAt: dateOf(next) };
}

function dateOf(time: number): Date | null {
  return Number.isFinite(time) ? new Date(time) : null;
}
