import type { PackageVersionId } from '@plimsoll/model';
import type { KernelStatement, PackageSummary } from '../host/package-summary.ts';
import { type HostReading, type HostRow, isLivepatched } from '../host/read-host.ts';
import { type DueFacts, type DueSpan, dueIn, dueSpanOf } from './deadline.ts';
import type { DueTerms } from './due-policy.ts';

/** By what the findings of a host are due. */
export interface HostDue {
  readonly terms: DueTerms;
  /** The time of counting, in milliseconds since 1970. */
  readonly now: number;
  /** When the host got a package version, in milliseconds since 1970. */
  installedAt(id: PackageVersionId): number;
  /** The spans of summaries by these terms, kept between hosts. */
  readonly spans: WeakMap<PackageSummary, DueSpan>;
}

/** When the finding of a row is due, in milliseconds since 1970; infinite without a due date. */
export function rowDueAt({ subject }: HostRow, { facts: { due }, livepatched }: HostReading): number {
  if (due === undefined) return Number.POSITIVE_INFINITY;
  const { kernel } = subject;
  if (kernel === null || livepatched.size === 0) return summaryDueAt(subject, due);
  const open = kernel.statements.filter(
    ({ openCves }) => !isLivepatched({ cves: openCves, openCves }, livepatched),
  );
  return dueIn(dueSpanOf(factsOf(open), due.terms), due.installedAt(subject.id));
}

/** When the finding of a package without live patches is due; infinite without a due date. */
export function summaryDueAt(summary: PackageSummary, { terms, spans, installedAt }: HostDue): number {
  const known = spans.get(summary);
  const span =
    known ??
    dueSpanOf(summary.kernel === null ? (summary.dues ?? []) : factsOf(summary.kernel.statements), terms);
  if (known === undefined) spans.set(summary, span);
  return dueIn(span, installedAt(summary.id));
}

function factsOf(statements: readonly KernelStatement[]): readonly DueFacts[] {
  return statements.flatMap(({ due }) => due ?? []);
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
