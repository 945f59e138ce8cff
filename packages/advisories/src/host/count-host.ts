import type { ActionGround, DueState, PackageVersionId, Severity } from '@plimsoll/model';
import { actionGrounds } from '@plimsoll/model';
import { supportEndOf } from '../support-end.ts';
import { disagreementsOf } from './disagreements.ts';
import type { HostFacts } from './host-facts.ts';
import { kernelPostureOf } from './kernel-posture.ts';
import { groundsOf } from './opening.ts';
import type { PackageSummary, Weight } from './package-summary.ts';
import { type HostReading, type HostRow, type OpeningState, openingStates, readHost } from './read-host.ts';

/** A host's findings by severity. Hidden findings (severity `none`) are not counted. */
export interface FindingCounts {
  readonly critical: number;
  readonly important: number;
  readonly moderate: number;
  readonly low: number;
  readonly unrated: number;
  /** Findings without any fix, of any severity, except those that are entirely under investigation. */
  readonly unfixed: number;
  /** Findings with a known exploited vulnerability; also counted under their severity. */
  readonly knownExploited: number;
  /** Installed packages without a verdict. */
  readonly unknown: number;
}

/** All values of a host that lists and totals show. */
export interface HostTotals {
  readonly counts: FindingCounts;
  readonly availableUpdates: number;
  readonly updatesKnown: boolean;
  readonly servicesDue: number;
  readonly rebootState: DueState;
  readonly restartState: DueState;
  /**
   * Grounds for action from findings and updates, in the order of `actionGrounds`; the most urgent action also depends
   * on time and feeds.
   */
  readonly grounds: readonly ActionGround[];
  /** The installed kernel whose advisories are findings; null if no kernel is judged. */
  readonly judgedKernel: PackageVersionId | null;
  /** The end of all support of the host's release for this host; null if unknown. */
  readonly supportEndsAt: Date | null;
  /** The number of disagreements with the host's package manager; see Disagreement. */
  readonly disagreementCount: number;
}

/** A host as input of the fast path. */
export interface CountedHost {
  readonly packages: readonly PackageSummary[];
  /** The interned package of runningKernelSubject; null if it found none to intern. */
  readonly runningKernel: PackageSummary | null;
  readonly facts: HostFacts;
}

/** Counts a host without listing its findings. Always agrees with assessHost. */
export function countHost({ packages, runningKernel, facts }: CountedHost): HostTotals {
  return totalsOf(readHost(packages, runningKernel, facts));
}

/** The fix states of each row's open statements; rows without open statements are absent. */
export function rowStates(reading: HostReading): ReadonlyMap<HostRow, readonly OpeningState[]> {
  const states = new Map<HostRow, readonly OpeningState[]>();
  for (const row of reading.rows) {
    const open = openingStates(row, reading);
    if (open.length > 0) states.set(row, open);
  }
  return states;
}

/** The totals of a host reading. */
export function totalsOf(reading: HostReading, states = rowStates(reading)): HostTotals {
  const { facts } = reading;
  const { rebootState, restartState } = kernelPostureOf(reading.kernels, facts);
  const updates = facts.upgrades.filter(({ change }) => change !== 'new');
  const counts = emptyCounts();
  const grounds = new Set<ActionGround>();
  for (const [{ subject }, open] of states) {
    if (subject.weight !== null) tally(counts, subject.weight);
    for (const { opening, state } of open)
      for (const ground of groundsOf(opening, state)) grounds.add(ground);
  }
  for (const { upgrade } of updates) {
    if (upgrade.phased) continue;
    grounds.add('update_waiting');
    const isHeld = upgrade.held || reading.offers.heldNames.has(upgrade.name);
    if (upgrade.isSecurity && !isHeld) grounds.add('security_update');
  }
  return {
    counts: { ...counts, unknown: reading.unknown },
    availableUpdates: updates.length,
    updatesKnown: facts.updates === 'known',
    servicesDue: facts.services.toRestart.length,
    rebootState,
    restartState,
    grounds: actionGrounds.filter((ground) => grounds.has(ground)),
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

function tally(counts: Tally, { severity, fixed, decided, knownExploited }: Weight): void {
  if (!decided) return;
  if (!fixed) counts.unfixed += 1;
  else if (isCounted(severity)) counts[severity] += 1;
  if (knownExploited) counts.knownExploited += 1;
}

function isCounted(severity: Severity): severity is Exclude<Severity, 'none'> {
  return severity !== 'none';
}
