import { type DueFacts, type DueSpan, dueSpanOf, noDueSpan } from '../due/deadline.ts';
import type { DueTerms } from '../due/due-policy.ts';
import type { KernelStatement, PackageSummary } from './package-summary.ts';
import { type HostReading, type HostRow, isLivepatched } from './read-host.ts';

/** When the finding of a row is due, as far as it does not depend on when the host got the package. */
export function rowDueSpan({ subject }: HostRow, { facts: { due }, livepatched }: HostReading): DueSpan {
  if (due === undefined) return noDueSpan;
  const { kernel } = subject;
  if (kernel === null || livepatched.size === 0) return summaryDueSpan(subject, due.terms);
  const open = kernel.statements.filter(
    ({ openCves }) => !isLivepatched({ cves: openCves, openCves }, livepatched),
  );
  return dueSpanOf(factsOf(open), due.terms);
}

/** The same for the finding of a package without live patches. */
export function summaryDueSpan({ kernel, dues = [] }: PackageSummary, terms: DueTerms): DueSpan {
  return dueSpanOf(kernel === null ? dues : factsOf(kernel.statements), terms);
}

function factsOf(statements: readonly KernelStatement[]): readonly DueFacts[] {
  return statements.flatMap(({ due }) => due ?? []);
}
