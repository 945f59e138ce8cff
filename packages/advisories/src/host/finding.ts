import {
  compareSeverity,
  compareText,
  type FixState,
  type PackageVersionId,
  type Severity,
  type Statement,
} from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import { type Evidence, evidenceOf } from './evidence.ts';
import type { AssessedPackage } from './host-facts.ts';
import { isVisible, weigh } from './package-summary.ts';
import { firstState, type HostReading, type HostRow, rowSupply, statementState } from './read-host.ts';
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
  readonly evidence: Evidence;
}

/** One advisory of a finding. */
export interface FindingAdvisory {
  readonly statement: Statement;
  readonly fixState: FixState;
}

/** A row's finding; null if nothing affects it. */
export function findingOf(
  row: HostRow,
  subject: AssessedPackage,
  installed: AssessedPackage,
  reading: HostReading,
): Finding | null {
  const visible = subject.statements.filter(isVisible);
  const weight = weigh(visible.length > 0 ? visible : subject.statements);
  if (weight === null) return null;
  const supply = rowSupply(row, reading);
  const advisories = subject.statements
    .map((statement) => ({ statement, fixState: statementState(statement, row, supply, reading) }))
    .sort((a, b) => compareByUrgency(a.statement, b.statement));
  const decisive =
    visible.length > 0 ? advisories.filter(({ statement }) => isVisible(statement)) : advisories;
  return {
    packageId: installed.id,
    name: installed.name,
    architecture: installed.architecture,
    installedVersion: installed.version,
    sourceName: subject.sourceName,
    sourceVersion: subject.sourceVersion,
    severity: weight.severity,
    fixed: weight.fixed,
    fixedVersion: closingVersion(decisive),
    fixState: firstState(new Set(decisive.map(({ fixState }) => fixState))) ?? 'no_fix',
    candidateVersion: bestCandidate(supply),
    knownExploited: visible.length > 0 && weight.knownExploited,
    advisories,
    evidence: evidenceOf(row, subject, reading),
  };
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
  readonly includeUnfixed: boolean;
  readonly includeHidden: boolean;
}

/**
 * The selected findings, in their order. Without `includeHidden` hidden advisories are removed; with it,
 * `fixedVersion` and `fixState` also cover hidden ones, while severity and counts still depend only on visible ones.
 */
export function selectFindings(
  findings: readonly Finding[],
  selection: FindingSelection,
): readonly Finding[] {
  return findings
    .filter(({ fixed }) => fixed || selection.includeUnfixed)
    .filter(({ severity }) => severity !== 'none' || selection.includeHidden)
    .map((finding) => {
      const advisories = finding.advisories.filter(
        ({ statement }) => selection.includeHidden || isVisible(statement),
      );
      const states = new Set(advisories.map(({ fixState }) => fixState));
      return {
        ...finding,
        advisories,
        fixedVersion: closingVersion(advisories),
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
