import { type DueFacts, dueIn, dueSpanOf } from '../due/deadline.ts';
import type { HostDue } from '../due/host-due.ts';
import type { KernelStatement, PackageSummary } from './package-summary.ts';
import { type HostReading, type HostRow, isLivepatched } from './read-host.ts';

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
