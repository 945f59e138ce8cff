import type { DueState, FixState, OverallAction, PackageVersionId, Severity } from '@plimsoll/model';
import { supportEndOf } from '../support-end.ts';
import { disagreementsOf } from './disagreements.ts';
import type { HostFacts } from './host-facts.ts';
import { kernelPostureOf } from './kernel-posture.ts';
import { overallAction } from './overall-action.ts';
import type { PackageSummary, Weight } from './package-summary.ts';
import { fixedRowState, type HostReading, type HostRow, readHost } from './read-host.ts';

/** A host's findings by severity. Hidden ones (severity `none`) are in no count. */
export interface FindingCounts {
  readonly critical: number;
  readonly important: number;
  readonly moderate: number;
  readonly low: number;
  readonly unrated: number;
  /** Findings without any fix, of whatever severity. */
  readonly unfixed: number;
  /** Findings with a known exploited vulnerability; they are counted under their severity too. */
  readonly knownExploited: number;
  /** Installed packages without a verdict. */
  readonly unknown: number;
}

/** Everything about a host that lists and totals show. */
export interface HostTotals {
  readonly counts: FindingCounts;
  readonly availableUpdates: number;
  readonly updatesKnown: boolean;
  readonly servicesDue: number;
  readonly rebootState: DueState;
  readonly restartState: DueState;
  /** Never `unknown`: whether `none` is known depends on time and feeds, which the caller knows. */
  readonly action: Exclude<OverallAction, 'unknown'>;
  /** The kernel whose advisories are findings, of all that are installed; null where none is judged. */
  readonly judgedKernel: PackageVersionId | null;
  /** The first moment at which nobody supports the host's release for this host any more; null where that is not known. */
  readonly supportEndsAt: Date | null;
  /** Where the host's package manager and the findings say different things; see Disagreement. */
  readonly disagreementCount: number;
}

/** A host as the fast path sees it. */
export interface CountedHost {
  readonly packages: readonly PackageSummary[];
  /** What runningKernelSubject asked to be interned; null where it asked for nothing. */
  readonly runningKernel: PackageSummary | null;
  readonly facts: HostFacts;
}

/** Counts a host without listing its findings. Agrees with assessHost, always. */
export function countHost({ packages, runningKernel, facts }: CountedHost): HostTotals {
  return totalsOf(readHost(packages, runningKernel, facts));
}

/** The state of every row that has a fix, by `fixedRowState`. */
export function rowStates(reading: HostReading): ReadonlyMap<HostRow, FixState> {
  const states = new Map<HostRow, FixState>();
  for (const row of reading.rows) {
    const state = fixedRowState(row, reading);
    if (state !== null) states.set(row, state);
  }
  return states;
}

/** The totals of a host that has been read. */
export function totalsOf(reading: HostReading, states = rowStates(reading)): HostTotals {
  const { facts } = reading;
  const { rebootState, restartState } = kernelPostureOf(reading.kernels, facts);
  const updates = facts.upgrades.filter(({ change }) => change !== 'new');
  const counts = emptyCounts();
  const urgent = { installable: false, urgentInstallable: false, urgentPendingReboot: false };
  for (const row of reading.rows) {
    const { weight } = row.subject;
    if (weight === null) continue;
    tally(counts, weight);
    const state = states.get(row);
    const isUrgent = weight.knownExploited || (weight.fixed && weight.severity === 'critical');
    urgent.installable ||= state === 'installable';
    urgent.urgentInstallable ||= isUrgent && state === 'installable';
    urgent.urgentPendingReboot ||= isUrgent && state === 'pending_reboot';
  }
  const offersSecurity = updates.some(
    ({ upgrade }) =>
      upgrade.isSecurity && !upgrade.held && !upgrade.phased && !reading.offers.heldNames.has(upgrade.name),
  );
  return {
    counts: { ...counts, unknown: reading.unknown },
    availableUpdates: updates.length,
    updatesKnown: facts.updates === 'known',
    servicesDue: facts.services.toRestart.length,
    rebootState,
    restartState,
    action: overallAction({
      ...urgent,
      offersSecurity,
      updatesWait: updates.length > 0,
      rebootNeeded: rebootState === 'needed',
      restartNeeded: restartState === 'needed',
    }),
    supportEndsAt:
      facts.release === null ? null : supportEndOf(facts.release, facts.subscription, facts.lifecycle),
    judgedKernel: reading.kernels.judged?.id ?? null,
    disagreementCount: disagreementsOf(reading, states).length,
  };
}

type Tally = { -readonly [Name in keyof FindingCounts]: number };

function emptyCounts(): Tally {
  return {
    critical: 0,
    important: 0,
    moderate: 0,
    low: 0,
    unrated: 0,
    unfixed: 0,
    knownExploited: 0,
    unknown: 0,
  };
}

function tally(counts: Tally, { severity, fixed, knownExploited }: Weight): void {
  if (!fixed) counts.unfixed += 1;
  else if (isCounted(severity)) counts[severity] += 1;
  if (knownExploited) counts.knownExploited += 1;
}

function isCounted(severity: Severity): severity is Exclude<Severity, 'none'> {
  return severity !== 'none';
}
