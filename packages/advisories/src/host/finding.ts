import {
  compareSeverity,
  compareText,
  type FixState,
  type PackageVersionId,
  type Severity,
  type Statement,
} from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { type Deadline, deadlineOf, undated } from '../due/deadline.ts';
import { dueFactsOf } from '../due/due-facts.ts';
import { timesOf } from '../due/host-due.ts';
import { type AppliedWaiver, earliestOf } from '../waivers/host-waivers.ts';
import { type Evidence, evidenceOf } from './evidence.ts';
import type { AssessedPackage } from './host-facts.ts';
import { isVisible, waivedIn, weigh } from './package-summary.ts';
import {
  firstState,
  type HostReading,
  type HostRow,
  isLivepatched,
  rowSupply,
  statementState,
} from './read-host.ts';
import type { Supply } from './supply.ts';

/** An installed package with at least one open advisory (HTTP contract, "finding"). */
export interface Finding {
  readonly packageId: PackageVersionId;
  readonly name: string;
  readonly architecture: string;
  /** As the package manager reports it. */
  readonly installedVersion: string;
  /** The source of the judged package: of the running kernel if that is not installed. */
  readonly sourceName: string;
  readonly sourceVersion: string;
  /** `none` if every advisory is hidden: not counted, listed only on request. */
  readonly severity: Severity;
  /** The waiver with which it ends to be waived; null if a visible advisory is not waived, or all are hidden. */
  readonly waiver: AppliedWaiver | null;
  /** Whether the vendor has decided on any advisory that counts; others are in no number. */
  readonly decided: boolean;
  /** Whether a visible advisory has a fix; for a hidden finding, whether any has. */
  readonly fixed: boolean;
  /** The lowest version that closes every listed advisory with a fix; null if no advisory has one. */
  readonly fixedVersion: string | null;
  readonly fixState: FixState;
  /** The best version offered to the host; null without offers. */
  readonly candidateVersion: string | null;
  readonly knownExploited: boolean;
  /** The worst first, then exploited ones, then by id. */
  readonly advisories: readonly FindingAdvisory[];
  /** The earliest due date of its visible advisories that are not waived, in milliseconds since 1970; null: none. */
  readonly dueAt: number | null;
  readonly evidence: Evidence;
}

/** One advisory of a finding. */
export interface FindingAdvisory {
  readonly statement: Statement;
  readonly fixState: FixState;
  /** The waiver that covers it; null: none. */
  readonly waiver: AppliedWaiver | null;
  /** Null: no policy of due dates is set, or it is hidden. */
  readonly due: Deadline | null;
}

/** A row's finding; null if nothing affects it. */
export function findingOf(
  row: HostRow,
  subject: AssessedPackage,
  installed: AssessedPackage,
  reading: HostReading,
): Finding | null {
  const waived = waivedIn(subject, reading.facts.waivers);
  const supply = rowSupply(row, reading);
  const advisories = subject.statements
    .map((statement) => {
      const waiver = waived.get(statement) ?? null;
      const fixState = statementState(statement, row, supply, reading);
      return { statement, fixState, waiver, due: deadlineIn(statement, waiver, row, reading) };
    })
    .sort((a, b) => compareByUrgency(a.statement, b.statement));
  const decisive = decisiveOf(advisories);
  const weight = weigh(decisive.map(({ statement }) => statement));
  if (weight === null) return null;
  return {
    packageId: installed.id,
    name: installed.name,
    architecture: installed.architecture,
    installedVersion: installed.version,
    sourceName: subject.sourceName,
    sourceVersion: subject.sourceVersion,
    severity: weight.severity,
    waiver: earliestOf(decisive.map(({ waiver }) => waiver)),
    decided: weight.decided,
    fixed: weight.fixed,
    fixedVersion: closingVersion(decisive),
    fixState: firstState(new Set(decisive.map(({ fixState }) => fixState))) ?? 'no_fix',
    candidateVersion: bestCandidate(supply),
    knownExploited: weight.severity !== 'none' && weight.knownExploited,
    advisories,
    dueAt: earliestDue(advisories),
    evidence: evidenceOf(row, subject, reading),
  };
}

function deadlineIn(
  statement: Statement,
  waiver: AppliedWaiver | null,
  { isKernel, subject }: HostRow,
  { facts: { due }, livepatched }: HostReading,
): Deadline | null {
  const facts = dueFactsOf(statement);
  if (due === undefined || facts === null || !isVisible(statement)) return null;
  if (waiver !== null) return undated('waived');
  if (isKernel && isLivepatched(statement, livepatched)) return undated('livepatched');
  return deadlineOf(facts, due.terms, timesOf(due, subject.id));
}

function earliestDue(advisories: readonly FindingAdvisory[]): number | null {
  return advisories.reduce<number | null>((earliest, { due }) => {
    const at = due?.at ?? null;
    return at === null || (earliest !== null && earliest <= at) ? earliest : at;
  }, null);
}

/**
 * The advisories on which a finding's severity and state depend: those that are neither hidden nor waived; without any,
 * the hidden ones are left out; without any again, all.
 */
function decisiveOf(advisories: readonly FindingAdvisory[]): readonly FindingAdvisory[] {
  const visible = advisories.filter(({ statement }) => isVisible(statement));
  const open = visible.filter(({ waiver }) => waiver === null);
  if (open.length > 0) return open;
  return visible.length > 0 ? visible : advisories;
}

/**
 * Orders findings: the worst first, then known exploited ones, then by name, architecture and installed version: rpm
 * can install several versions of one package.
 */
export function compareFindings(a: Finding, b: Finding): number {
  return (
    compareSeverity(a.severity, b.severity) ||
    Number(b.knownExploited) - Number(a.knownExploited) ||
    compareText(a.name, b.name) ||
    compareText(a.architecture, b.architecture) ||
    compareText(a.installedVersion, b.installedVersion)
  );
}

/** Selects the findings to list. */
export interface FindingSelection {
  /** Also findings without a fix that are not waived. */
  readonly includeUnfixed: boolean;
  readonly includeHidden: boolean;
  /** Also what is waived: findings, and the waived advisories of other findings. */
  readonly includeWaived?: boolean;
}

/**
 * The selected findings, in their order. Without `includeHidden` hidden advisories are removed; with it,
 * `fixedVersion` and `fixState` also cover hidden ones, while severity and counts still depend only on visible ones.
 * Waived advisories of a finding that is not waived change none of its fields.
 */
export function selectFindings(
  findings: readonly Finding[],
  selection: FindingSelection,
): readonly Finding[] {
  const { includeUnfixed, includeHidden, includeWaived = false } = selection;
  return findings
    .filter(({ waiver }) => waiver === null || includeWaived)
    .filter(({ fixed, waiver, decided }) => fixed || includeUnfixed || (waiver !== null && decided))
    .filter(({ severity }) => severity !== 'none' || includeHidden)
    .map((finding) => {
      const advisories = finding.advisories.filter(
        ({ statement, waiver }) =>
          (includeHidden || isVisible(statement)) && (includeWaived || waiver === null),
      );
      const counted =
        finding.waiver === null ? advisories.filter(({ waiver }) => waiver === null) : advisories;
      const states = new Set(counted.map(({ fixState }) => fixState));
      return {
        ...finding,
        advisories,
        fixedVersion: closingVersion(counted),
        fixState: firstState(states) ?? finding.fixState,
      };
    });
}

function closingVersion(advisories: readonly FindingAdvisory[]): string | null {
  let highest: Extract<Statement['fix'], { kind: 'fixed' }> | null = null;
  for (const { statement } of advisories) {
    if (statement.fix.kind === 'unfixed') continue;
    if (highest === null || compareKeys(statement.fix.key, highest.key) > 0) highest = statement.fix;
  }
  return highest?.version ?? null;
}

function compareByUrgency(a: Statement, b: Statement): number {
  return (
    compareSeverity(a.severity, b.severity) ||
    Number(b.knownExploited) - Number(a.knownExploited) ||
    compareText(a.externalId, b.externalId) ||
    a.statementId - b.statementId
  );
}

/** Offers that cannot be compared rank last; among equals the first wins. */
function bestCandidate({ offers }: Supply): string | null {
  const [first, ...others] = offers;
  if (first === undefined) return null;
  const best = others.reduce((a, b) => {
    if (b.key === null) return a;
    return a.key === null || compareKeys(b.key, a.key) > 0 ? b : a;
  }, first);
  return best.upgrade.upgrade.candidateVersion;
}
