import {
  type ExplanationReason,
  type ExplanationVerdict,
  explanationReasons,
  type FixState,
  type Gap,
  type Release,
  type Severity,
  type StatementJudgement,
  silenceGaps,
} from '@plimsoll/model';
import type { VersionScheme } from '@plimsoll/versions';
import type { AppliedWaiver } from '../waivers/host-waivers.ts';

/** The judgement of one statement of the advisory, or of one that replaces it. */
export interface ExplainedStatement {
  readonly externalId: string;
  readonly judgement: StatementJudgement;
  /** One sentence. */
  readonly detail: string;
  readonly severity: Severity;
  readonly fixedVersion: string | null;
}

/** The answer on one installed package. */
export interface ExplainedPackage {
  readonly name: string;
  readonly architecture: string;
  readonly installedVersion: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  /** The name to look up advisories by, and the compared version; null if there is none. */
  readonly matchName: string | null;
  readonly comparedVersion: string | null;
  readonly reason: ExplanationReason;
  /** What makes the answer unknown; null if it is known. */
  readonly gap: Gap | null;
  /** A sentence or two. */
  readonly detail: string;
  /** The advisory's severity, if it is a finding. */
  readonly severity: Severity | null;
  readonly fixState: FixState | null;
  readonly fixedVersion: string | null;
  /** The waiver that ends first of those that cover the finding; null if it is not a finding, or not wholly waived. */
  readonly waiver: AppliedWaiver | null;
  readonly statements: readonly ExplainedStatement[];
}

/** The part of an answer on a package that depends on the reason. */
export type Told = Pick<ExplainedPackage, 'reason' | 'detail'> &
  Partial<Pick<ExplainedPackage, 'severity' | 'fixState' | 'fixedVersion' | 'waiver'>>;

/** Why an advisory is a finding on a host's package or is not. */
export interface Explanation {
  readonly verdict: ExplanationVerdict;
  readonly reason: ExplanationReason;
  /** What makes the answer unknown; null if it is known. */
  readonly gap: Gap | null;
  /** A sentence or two. */
  readonly detail: string;
  readonly release: Release | null;
  readonly comparator: VersionScheme | null;
  /** Sorted by name and architecture. */
  readonly packages: readonly ExplainedPackage[];
}

/** The verdict that follows from a reason. */
export function verdictOfReason(reason: ExplanationReason): ExplanationVerdict {
  switch (reason) {
    case 'finding':
    case 'hidden':
      return reason;
    case 'not_reported':
    case 'unknown_advisory':
    case 'no_verdict':
      return 'unknown';
    default:
      return silenceGapOf(reason) === null ? 'not_a_finding' : 'unknown';
  }
}

/** The gap that a reason implies by itself; null if it implies none. */
export function gapOfReason(reason: ExplanationReason): Gap | null {
  if (reason === 'not_reported') return 'no_report';
  if (reason === 'no_verdict') return 'packages_unchecked';
  return silenceGapOf(reason);
}

function silenceGapOf(reason: ExplanationReason): (typeof silenceGaps)[number] | null {
  return silenceGaps.find((gap) => gap === reason) ?? null;
}

/** The first of some reasons in their order. */
export function firstReason(reasons: readonly ExplanationReason[]): ExplanationReason | null {
  return explanationReasons.find((reason) => reasons.includes(reason)) ?? null;
}
