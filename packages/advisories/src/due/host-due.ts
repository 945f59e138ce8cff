import type { PackageVersionId } from '@plimsoll/model';
import type { HostTimes } from './due-clock.ts';
import type { DueTerms } from './due-policy.ts';
import { type DueSpan, dueIn, installationIn } from './due-span.ts';

/** By what the findings of a host are due. */
export interface HostDue {
  readonly terms: DueTerms;
  /** The time of counting, in milliseconds since 1970. */
  readonly now: number;
  /** When the host got a package version, in milliseconds since 1970. */
  installedAt(id: PackageVersionId): number;
  /** As of HostTimes. */
  readonly firstReportAt: number;
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

/** Combines the times at which the findings of one host are due. */
export class DueTally {
  readonly #due: HostDue | undefined;
  #earliest = Number.POSITIVE_INFINITY;
  #next = Number.POSITIVE_INFINITY;
  #overdue = 0;

  /** Undefined: nothing is due. */
  constructor(due: HostDue | undefined) {
    this.#due = due;
  }

  /** Takes the finding of a package version; returns when it is due, in milliseconds since 1970, or infinity. */
  add(span: DueSpan, id: PackageVersionId): number {
    if (this.#due === undefined) return Number.POSITIVE_INFINITY;
    const isShared = span.afterInstallation.length + span.afterFirstReport.length === 0;
    const time = isShared ? span.at : dueIn(span, timesOf(this.#due, id));
    if (time < this.#earliest) this.#earliest = time;
    if (time <= this.#due.now) this.#overdue += 1;
    else if (time < this.#next) this.#next = time;
    return time;
  }

  /** As installationIn: when the host got the version of a span, as far as its due dates depend on it. */
  installationOf(span: DueSpan, id: PackageVersionId): number {
    if (this.#due === undefined || span.afterInstallation.length === 0) return 0;
    return installationIn(span, this.#due.installedAt(id));
  }

  totals(): DueTotals {
    return { dueAt: dateOf(this.#earliest), overdue: this.#overdue, nextDueAt: dateOf(this.#next) };
  }
}

/** The times of a host and one of its package versions. */
export function timesOf({ installedAt, firstReportAt }: HostDue, id: PackageVersionId): HostTimes {
  return { installedAt: installedAt(id), firstReportAt };
}

function dateOf(time: number): Date | null {
  return Number.isFinite(time) ? new Date(time) : null;
}
