import type { DueCve, Severity, Statement } from '@plimsoll/model';

/** What due dates depend on of a statement that is open on a package version. Times are milliseconds since 1970. */
export interface DueFacts {
  readonly severity: Severity;
  /** The CVEs that are open on the version, sorted; empty if the advisory names none. */
  readonly cves: readonly DueCve[];
  /** When the fixed version was first published; null without a fix. */
  readonly fix: { readonly publishedAt: number; readonly isDateKnown: boolean } | null;
  /** When the advisory was published, or first known here if that is earlier. */
  readonly statedAt: number;
}

/** What due dates depend on of a statement that is open on a package version; null if its dates are not loaded. */
export function dueFactsOf(
  statement: Pick<Statement, 'severity' | 'dates' | 'cves' | 'openCves'> & {
    readonly fix: Pick<Statement['fix'], 'kind'>;
  },
): DueFacts | null {
  const { severity, dates, fix, cves, openCves = cves } = statement;
  if (dates === undefined) return null;
  const { fixPublishedAt, isFixDateKnown, statedAt } = dates;
  const isFixed = fix.kind === 'fixed' && fixPublishedAt !== null;
  return {
    severity,
    cves: onlyOf(dates.cves, openCves),
    fix: isFixed ? { publishedAt: fixPublishedAt, isDateKnown: isFixDateKnown } : null,
    statedAt,
  };
}

/** Those of some CVEs; mostly all of them are. */
function onlyOf(all: readonly DueCve[], wanted: readonly string[]): readonly DueCve[] {
  if (all.length === wanted.length && all.every(({ id }, index) => id === wanted[index])) return all;
  const ids = new Set(wanted);
  return all.filter(({ id }) => ids.has(id));
}
