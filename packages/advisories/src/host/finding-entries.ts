import type { AdvisoryKey, FixState, PackageVersionId, StatementFix } from '@plimsoll/model';
import { openingKey } from './opening.ts';
import {
  firstState,
  type HostReading,
  type HostRow,
  isUniform,
  type OpeningState,
  rowSupply,
  statementState,
} from './read-host.ts';

/** What is true of open advisories of one judged package version on a host. */
export interface FindingMark {
  /**
   * The fix state of the advisories with a fix; of an exception, its state. Null: no advisory has a fix. The state of an
   * advisory without a fix that is no exception is the reason that its statement gives.
   */
  readonly state: FixState | null;
  readonly waived: boolean;
}

/** A judged package version of a host with open visible advisories. */
export interface FindingEntry {
  /** The judged version; of a running kernel that was replaced, one that is not installed any more. */
  readonly versionId: PackageVersionId;
  readonly mark: FindingMark;
  /** Advisories to which `mark` does not apply, by key. */
  readonly exceptions: readonly { readonly advisory: AdvisoryKey; readonly mark: FindingMark }[];
}

/** The fix state of one advisory of an entry on its host; `fixes` are those of its statements about the version. */
export function entryState(
  { mark, exceptions }: Pick<FindingEntry, 'mark' | 'exceptions'>,
  advisory: AdvisoryKey,
  fixes: readonly StatementFix[],
): FixState {
  const exception = exceptions.find((one) => one.advisory === advisory);
  if (exception?.mark.state != null) return exception.mark.state;
  const states = fixes.map((fix) =>
    // A fix that appeared after the host was counted: whether it reaches the host is not known.
    fix.kind === 'fixed' ? (mark.state ?? 'fix_published') : fix.reason,
  );
  return firstState(new Set(states)) ?? 'no_fix';
}

/** A mark of a state alone. */
export function markOf(state: FixState | null): FindingMark {
  return { state, waived: false };
}

/** The one state of all openings with a fix; null: none has a fix. Undefined: they have several states. */
function commonState(open: readonly OpeningState[]): FixState | null | undefined {
  let common: FixState | null = null;
  for (const { opening, state } of open) {
    if (opening.fix.kind !== 'fixed') continue;
    if (common !== null && common !== state) return undefined;
    common = state;
  }
  return common;
}

/** The entry of a row with open statements; `open` as openingStates returns it. */
export function entryOf(row: HostRow, reading: HostReading, open: readonly OpeningState[]): FindingEntry {
  const { subject } = row;
  const { kernel } = subject;
  const uniform = isUniform(row, reading);
  if (uniform || kernel === null) {
    const common = commonState(open);
    if (common !== undefined) return { versionId: subject.id, mark: markOf(common), exceptions: [] };
    if (kernel === null) return packageEntry(subject.id, open);
  }
  if (!uniform) {
    return statementEntry(
      subject.id,
      kernel.statements.map(({ advisory, opening }, index) => ({
        advisory,
        fix: opening.fix,
        state: open[index]?.state ?? 'no_fix',
      })),
    );
  }
  const states = new Map(open.map(({ opening, state }) => [openingKey(opening), state]));
  return statementEntry(
    subject.id,
    kernel.statements.map(({ advisory, opening }) => ({
      advisory,
      fix: opening.fix,
      state: states.get(openingKey(opening)) ?? 'no_fix',
    })),
  );
}

/** The entry of a row with its waived statements; `entry` is that of the others, null if there are none. */
export function withWaived(
  entry: FindingEntry | null,
  row: HostRow,
  reading: HostReading,
): FindingEntry | null {
  const { subject } = row;
  if (subject.waived === null) return entry;
  const supply = rowSupply(row, reading);
  const waived = statementEntry(
    subject.id,
    subject.waived.statements.map(({ advisory, openCves, opening: { fix } }) => ({
      advisory,
      fix,
      state: statementState({ advisory, cves: openCves, fix }, row, supply, reading),
    })),
  );
  const asWaived = (mark: FindingMark): FindingMark => ({ ...mark, waived: true });
  if (entry === null) {
    const exceptions = waived.exceptions.map(({ advisory, mark }) => ({ advisory, mark: asWaived(mark) }));
    return { ...waived, mark: asWaived(waived.mark), exceptions };
  }
  const marks = new Map(
    subject.waived.statements.map(({ advisory, opening: { fix } }) => [
      advisory,
      // Without a fix the reason of the statement is the state.
      fix.kind === 'fixed' ? waived.mark : markOf(null),
    ]),
  );
  for (const { advisory, mark } of waived.exceptions) marks.set(advisory, mark);
  const exceptions = [...marks].map(([advisory, mark]) => ({ advisory, mark: asWaived(mark) }));
  return {
    ...entry,
    exceptions: [...entry.exceptions, ...exceptions].sort((a, b) => a.advisory - b.advisory),
  };
}

/** The entry of a package that is not a kernel, by the states of its openings. */
function packageEntry(versionId: PackageVersionId, open: readonly OpeningState[]): FindingEntry {
  const stated = open.filter(({ opening }) => opening.fix.kind === 'fixed');
  return statementEntry(
    versionId,
    stated.flatMap(({ opening: { fix, advisories }, state }) =>
      advisories.map((advisory) => ({ advisory, fix, state })),
    ),
  );
}

/** The entry of a version by the state of each of its statements. */
function statementEntry(
  versionId: PackageVersionId,
  statements: readonly {
    readonly advisory: AdvisoryKey;
    readonly fix: StatementFix;
    readonly state: FixState;
  }[],
): FindingEntry {
  const byAdvisory = new Map<AdvisoryKey, { readonly state: FixState; readonly own: FixState | null }>();
  for (const { advisory, fix, state } of statements) {
    const own = fix.kind === 'fixed' ? null : fix.reason;
    const known = byAdvisory.get(advisory);
    if (known === undefined) byAdvisory.set(advisory, { state, own });
    else
      byAdvisory.set(advisory, {
        state: firstOf(known.state, state),
        own: own === null || known.own === null ? null : firstOf(known.own, own),
      });
  }
  return mixedEntry(
    versionId,
    [...byAdvisory].map(([advisory, { state, own }]) => ({ advisory, state, own })),
  );
}

/** `own`: the state that an advisory without a fix has by itself; null: it has a fix. */
function mixedEntry(
  versionId: PackageVersionId,
  advisories: readonly {
    readonly advisory: AdvisoryKey;
    readonly state: FixState;
    readonly own: FixState | null;
  }[],
): FindingEntry {
  const numbers = new Map<FixState, number>();
  for (const { state, own } of advisories)
    if (own === null) numbers.set(state, (numbers.get(state) ?? 0) + 1);
  let common: FixState | null = null;
  for (const [state, number] of numbers)
    if (common === null || number > (numbers.get(common) ?? 0)) common = state;
  return {
    versionId,
    mark: markOf(common),
    exceptions: advisories
      .filter(({ state, own }) => state !== (own ?? common))
      .map(({ advisory, state }) => ({ advisory, mark: markOf(state) }))
      .sort((a, b) => a.advisory - b.advisory),
  };
}

function firstOf(a: FixState, b: FixState): FixState {
  return firstState(new Set([a, b])) ?? a;
}
