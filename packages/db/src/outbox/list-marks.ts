import {
  asksForForensics,
  type DueTerms,
  dueFactsOf,
  dueIn,
  dueSpanOf,
  entryState,
  isVisible,
} from '@plimsoll/advisories';
import type { AdvisoryKey, FixState, PackageVersionId, Statement } from '@plimsoll/model';
import { decodeFindingList, type ListedEntry as Entry } from '../judging/counting/finding-list.ts';

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
  /** Equal only for equal terms. */
  readonly key: string;
  /** When the host got a package version, in milliseconds since 1970. */
  installedAt(id: PackageVersionId): number;
  /** As of HostTimes. */
  readonly firstReportAt: number;
}

/** When the date of an entry comes, in milliseconds since 1970; null: at no time, as of what is waived. */
function dueOf({ mark: { dueMinute } }: Entry): number | null {
  return dueMinute === null ? null : dueMinute * minuteMs;
}

/** The package versions of a list of which some date has come, or comes within `dueSoonMs` of a time. */
export function nearIn(marks: ListMarks, at: number): readonly PackageVersionId[] {
  return [...marks].flatMap(([id, entry]) => {
    const due = dueOf(entry);
    return due !== null && due <= at + dueSoonMs ? [id] : [];
  });
}

/** The next time after `at` at which a package version that is not in `nearIn` becomes due soon; infinite: there is none. */
export function nextNear(marks: ListMarks, at: number): number {
  let next = Number.POSITIVE_INFINITY;
  for (const entry of marks.values()) {
    const due = dueOf(entry);
    if (due !== null && due > at + dueSoonMs) next = Math.min(next, due - dueSoonMs);
  }
  return next;
}

/** An open advisory of a package version with its own due date, in milliseconds since 1970. */
export interface DatedAdvisory {
  readonly advisory: AdvisoryKey;
  readonly at: number;
  /** Whether a rule asks for forensics. */
  readonly forensics: boolean;
}

/**
 * The open advisories of a package version that have a due date, each with its own. The earliest is the date of the mark,
 * also if the statements were changed since.
 */
export function advisoriesDated(
  entry: Entry,
  statements: readonly Statement[],
  { terms, installedAt, firstReportAt }: DueOn,
): readonly DatedAdvisory[] {
  const due = dueOf(entry);
  if (due === null) return [];
  const times = { installedAt: installedAt(entry.versionId), firstReportAt };
  const dates = new Map<AdvisoryKey, number>();
  const forensic = new Set<AdvisoryKey>();
  for (const statement of openStatements(entry, statements)) {
    const facts = dueFactsOf(statement);
    if (facts === null) continue;
    if (asksForForensics(facts, terms)) forensic.add(statement.advisory);
    const at = Math.ceil(dueIn(dueSpanOf([facts], terms), times) / minuteMs) * minuteMs;
    if (Number.isFinite(at))
      dates.set(statement.advisory, Math.min(at, dates.get(statement.advisory) ?? Number.POSITIVE_INFINITY));
  }
  // Of hosts with equal lists one stands for all, and their installations can be some seconds apart.
  const isExact = (at: number) => Math.abs(at - due) <= minuteMs;
  const isKnown = [...dates.values()].some(isExact);
  const earliest = [...dates.values()].reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  return [...dates].map(([advisory, at]) => ({
    advisory,
    at: isExact(at) || (!isKnown && at === earliest) ? due : at,
    forensics: forensic.has(advisory),
  }));
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
