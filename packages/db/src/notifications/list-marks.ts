import { type DueTerms, dueFactsOf, dueIn, dueSpanOf, entryState, isVisible } from '@plimsoll/advisories';
import type { AdvisoryKey, FixState, PackageVersionId, Statement } from '@plimsoll/model';
import { decodeFindingList, type ListedEntry as Entry } from '../interning/finding-list.ts';

const minuteMs = 60_000;

/** How long before its date a finding is due soon: three days, so that a weekend is in between. */
export const dueSoonMs = 3 * 24 * 60 * minuteMs;

/** Fix states in which a fix is published that the host cannot install. */
const blocked: ReadonlySet<FixState> = new Set([
  'held',
  'phased',
  'needs_subscription',
  'not_in_repositories',
]);

/** The findings of a finding list, by package version. */
export type ListMarks = ReadonlyMap<PackageVersionId, Entry>;

/** Reads a stored finding list. */
export function readMarks(bytes: Uint8Array): ListMarks {
  return new Map(decodeFindingList(bytes).map((entry) => [entry.versionId, entry]));
}

/** By what the findings of a host are due. */
export interface DueOn {
  readonly terms: DueTerms;
  /** When the host got a package version, in milliseconds since 1970. */
  installedAt(id: PackageVersionId): number;
}

/** When the date of an entry comes, in milliseconds since 1970; null: at no time, as of what is waived. */
function dueOf({ mark: { dueMinute } }: Entry): number | null {
  return dueMinute === null ? null : dueMinute * minuteMs;
}

/** The package versions of a list whose date has come at a time. */
export function overdueIn(marks: ListMarks, at: number): ReadonlySet<PackageVersionId> {
  return versionsWhere(marks, (due) => due <= at);
}

/** The package versions of a list whose date comes within `dueSoonMs` of a time. */
export function dueSoonIn(marks: ListMarks, at: number): ReadonlySet<PackageVersionId> {
  return versionsWhere(marks, (due) => due > at && due <= at + dueSoonMs);
}

function versionsWhere(marks: ListMarks, holds: (due: number) => boolean): ReadonlySet<PackageVersionId> {
  const found = new Set<PackageVersionId>();
  for (const [id, entry] of marks) {
    const due = dueOf(entry);
    if (due !== null && holds(due)) found.add(id);
  }
  return found;
}

/** The next time after `at` at which a finding of the list becomes due soon or overdue; null: there is none. */
export function nextChangeOf(marks: ListMarks, at: number): number | null {
  let next = Number.POSITIVE_INFINITY;
  for (const entry of marks.values()) {
    const due = dueOf(entry);
    for (const time of due === null ? [] : [due - dueSoonMs, due]) if (time > at) next = Math.min(next, time);
  }
  return Number.isFinite(next) ? next : null;
}

/**
 * The advisories because of which a package version is due at the time in its mark: those whose own date it is. If none
 * has exactly this date any more, the one with the earliest.
 */
export function advisoriesDue(
  entry: Entry,
  statements: readonly Statement[],
  { terms, installedAt }: DueOn,
): ReadonlySet<AdvisoryKey> {
  const due = dueOf(entry);
  const dated = openStatements(entry, statements).flatMap((statement) => {
    const facts = dueFactsOf(statement);
    if (facts === null) return [];
    const at =
      Math.ceil(dueIn(dueSpanOf([facts], terms), installedAt(entry.versionId)) / minuteMs) * minuteMs;
    return Number.isFinite(at) ? [{ advisory: statement.advisory, at }] : [];
  });
  // Of hosts with equal lists one stands for all, and their installations can be some seconds apart.
  const exact = dated.filter(({ at }) => due !== null && Math.abs(at - due) <= minuteMs);
  const earliest = Math.min(...dated.map(({ at }) => at));
  const chosen = exact.length > 0 ? exact : dated.filter(({ at }) => at === earliest);
  return new Set(chosen.map(({ advisory }) => advisory));
}

/** The advisories whose fix was blocked by one list of a host and can be installed by the next. */
export function advisoriesReachable(
  before: Entry,
  after: Entry,
  statements: readonly Statement[],
): ReadonlySet<AdvisoryKey> {
  const fixed = openStatements(after, statements).filter(({ fix }) => fix.kind === 'fixed');
  const found = fixed.filter(
    (statement) => stateOf(after, statement) === 'installable' && blocked.has(stateOf(before, statement)),
  );
  return new Set(found.map(({ advisory }) => advisory));
}

/** The advisories whose fix a host can install. */
export function advisoriesInstallable(
  entry: Entry,
  statements: readonly Statement[],
): ReadonlySet<AdvisoryKey> {
  const found = openStatements(entry, statements).filter(
    (statement) => statement.fix.kind === 'fixed' && stateOf(entry, statement) === 'installable',
  );
  return new Set(found.map(({ advisory }) => advisory));
}

/** Whether the fix states of two entries can differ in what `advisoriesReachable` looks for. */
export function canBeReachable(before: Entry, after: Entry): boolean {
  const states = (entry: Entry) =>
    [entry.mark, ...entry.exceptions.map(({ mark }) => mark)].map(({ state }) => state);
  return (
    states(after).includes('installable') &&
    states(before).some((state) => state !== null && blocked.has(state))
  );
}

function openStatements(entry: Entry, statements: readonly Statement[]): readonly Statement[] {
  const marks = new Map(entry.exceptions.map(({ advisory, mark }) => [advisory, mark]));
  return statements.filter((statement) => {
    const { waived, state } = marks.get(statement.advisory) ?? entry.mark;
    return isVisible(statement) && !waived && state !== 'livepatched';
  });
}

function stateOf(entry: Entry, { advisory, fix }: Statement): FixState {
  return entryState(entry, advisory, [fix]);
}
