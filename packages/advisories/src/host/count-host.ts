import {
  type ActionGround,
  bitsOfGrounds,
  type DueState,
  groundsOfBits,
  type PackageVersionId,
  type Severity,
} from '@plimsoll/model';
import type { DueSpan } from '../due/due-span.ts';
import type { DueTally, DueTotals } from '../due/host-due.ts';
import { supportEndOf } from '../registry/distributions.ts';
import { countDisagreements } from './disagreements.ts';
import { entryOf, type FindingEntry, withWaived } from './finding-entries.ts';
import type { HostFacts, HostUpgrade } from './host-facts.ts';
import type { HostKernels } from './host-kernels.ts';
import { dueStatesOf, servicesDueOf } from './kernel-posture.ts';
import { groundsOf } from './opening.ts';
import type { PackageSummary, Weight } from './package-summary.ts';
import {
  type HostReading,
  type HostRow,
  type OpeningState,
  readHost,
  readPackages,
  rowDueSpan,
  rowStates,
} from './read-host.ts';
import { isHeld, type Offers } from './supply.ts';

/** A host's findings by severity. Hidden findings (severity `none`) are not counted. */
export interface FindingCounts {
  readonly critical: number;
  readonly important: number;
  readonly moderate: number;
  readonly low: number;
  readonly unrated: number;
  /** Findings without any fix, of any severity, except those that are entirely under investigation. */
  readonly unfixed: number;
  /** Findings with an advisory without a fix, by the highest of these, also beside others that have one. */
  readonly unfixedCritical: number;
  readonly unfixedImportant: number;
  readonly unfixedModerate: number;
  readonly unfixedLow: number;
  readonly unfixedUnrated: number;
  /** Findings with a known exploited vulnerability; also counted under their severity. */
  readonly knownExploited: number;
  /** Findings of which every visible advisory is waived; in no other number. */
  readonly waived: number;
  /** Installed packages without a verdict. */
  readonly unknown: number;
}

/**
 * The package version of the running kernel, judged or not. `not_stated`: a host that is not a container does not say what
 * runs. Null: no installed package's kernel runs.
 */
export type BootedKernel = PackageVersionId | 'not_stated' | null;

/** All values of a host that lists and totals show. */
export interface HostTotals extends DueTotals {
  readonly counts: FindingCounts;
  readonly availableUpdates: number;
  /** Updates that their publisher offers to other hosts first; not among the available ones. */
  readonly phasedUpdates: number;
  readonly updatesKnown: boolean;
  /** Packages whose installation did not end. */
  readonly brokenPackages: number;
  readonly servicesDue: number;
  readonly rebootState: DueState;
  readonly restartState: DueState;
  /**
   * Grounds for action from findings and updates, in the order of `actionGrounds`; the most urgent action also depends
   * on time and feeds.
   */
  readonly grounds: readonly ActionGround[];
  readonly bootedKernel: BootedKernel;
  /** The same if its advisories are findings; null if no kernel is judged. */
  readonly judgedKernel: PackageVersionId | null;
  /**
   * The end of all support of the host's release for this host; if no table has one, what the host's system states; null if
   * unknown.
   */
  readonly supportEndsAt: Date | null;
  /** The number of disagreements with the host's package manager; see Disagreement. */
  readonly disagreementCount: number;
}

/** A host, or a part of one, as input of the fast path. */
export interface CountedHost {
  readonly packages: readonly PackageSummary[];
  /** The interned package of runningKernelSubject; null if it found none to intern. */
  readonly runningKernel: PackageSummary | null;
  readonly facts: HostFacts;
}

/** What packages add to the totals of their host. */
export interface Tally {
  readonly counts: FindingCounts;
  /** Bits of `actionGrounds`. */
  readonly grounds: number;
  readonly disagreements: number;
}

/** The open advisories of a package version, and when they are due. */
export interface CountedFinding {
  readonly entry: FindingEntry;
  /** Of what is not waived. */
  readonly due: DueSpan;
}

/** What packages add to the totals and the finding list of their host. */
export interface CountedPart extends Tally {
  readonly findings: readonly CountedFinding[];
}

/** Counts the packages that decide on a host's kernels, or all packages of a host. */
export function countKernels({ packages, runningKernel, facts }: CountedHost): CountedPart & {
  readonly kernels: HostKernels;
} {
  const reading = readHost(packages, runningKernel, facts);
  return { ...partOf(reading), kernels: reading.kernels };
}

/**
 * Counts packages that have nothing to do with kernels (isOfKernel). Independent of all packages with other names: the
 * parts of a host can be counted one by one, each with all selected packages and offers of its names.
 * @param facts with the offers of the part.
 */
export function countPackages(packages: readonly PackageSummary[], facts: HostFacts): CountedPart {
  return partOf(readPackages(packages, facts));
}

/** Whether the findings of a host's kernel can depend on a package besides the kernel itself. */
export function isOfKernel({ kernel, livePatch, metapackageFlavour }: PackageSummary): boolean {
  return kernel !== null || livePatch !== null || metapackageFlavour !== null;
}

function partOf(reading: HostReading): CountedPart {
  const states = rowStates(reading);
  const findings: CountedFinding[] = [];
  for (const row of reading.rows) {
    const open = states.get(row);
    const entry = open === undefined ? null : entryOf(row, reading, open);
    const whole = row.subject.waived === null ? entry : withWaived(entry, row, reading);
    // What is waived is in no span.
    if (whole !== null) findings.push({ entry: whole, due: rowDueSpan(row, reading) });
  }
  return { ...tallyOf(reading, states), findings };
}

/** Counts the rows of a reading. */
export function tallyOf(reading: HostReading, states: ReadonlyMap<HostRow, readonly OpeningState[]>): Tally {
  const counts = emptyCounts();
  counts.unknown = reading.unknown;
  let grounds = 0;
  for (const [{ subject }, open] of states) {
    if (subject.weight !== null) weigh(counts, subject.weight);
    for (const { opening, state } of open) grounds |= groundsOf(opening, state);
  }
  for (const { subject } of reading.rows) if (subject.waived?.counted === true) counts.waived += 1;
  return { counts, grounds, disagreements: countDisagreements(reading, states) };
}

/** Adds up what the parts of a host add. */
export class TallySum implements Tally {
  readonly counts: Counts = emptyCounts();
  grounds = 0;
  disagreements = 0;

  /** @param times how many such parts there are. */
  add({ counts, grounds, disagreements }: Tally, times = 1): void {
    const sums = this.counts;
    sums.critical += times * counts.critical;
    sums.important += times * counts.important;
    sums.moderate += times * counts.moderate;
    sums.low += times * counts.low;
    sums.unrated += times * counts.unrated;
    sums.unfixed += times * counts.unfixed;
    sums.unfixedCritical += times * counts.unfixedCritical;
    sums.unfixedImportant += times * counts.unfixedImportant;
    sums.unfixedModerate += times * counts.unfixedModerate;
    sums.unfixedLow += times * counts.unfixedLow;
    sums.unfixedUnrated += times * counts.unfixedUnrated;
    sums.knownExploited += times * counts.knownExploited;
    sums.waived += times * counts.waived;
    sums.unknown += times * counts.unknown;
    this.grounds |= grounds;
    this.disagreements += times * disagreements;
  }
}

/** What a host's updates add to its totals. */
export interface UpdateTally {
  readonly available: number;
  readonly phased: number;
  /** Bits of `actionGrounds`. */
  readonly grounds: number;
}

/** Counts updates for which isOffered is true. */
export function tallyUpdates(
  upgrades: readonly HostUpgrade[],
  holds: Pick<Offers, 'heldArchitectures'>,
): UpdateTally {
  let available = 0;
  let phased = 0;
  let grounds = 0;
  for (const { upgrade, change } of upgrades) {
    if (change === 'new') continue;
    if (upgrade.phased) {
      phased += 1;
      continue;
    }
    available += 1;
    grounds |= updateWaiting;
    if (upgrade.isSecurity && !isHeld(upgrade, holds)) grounds |= securityUpdate;
  }
  return { available, phased, grounds };
}

/** The totals of a host, with its grounds as bits of `actionGrounds`. */
export type HostSums = Omit<HostTotals, 'grounds'> & { readonly grounds: number };

/** The totals of a host by what its packages and updates add. Without spreading objects: it is called for every host. */
export function sumsOf(
  { facts, kernels }: Pick<HostReading, 'facts' | 'kernels'>,
  { counts, grounds, disagreements }: Tally,
  { updates, due }: { readonly updates: UpdateTally; readonly due: DueTally },
): HostSums {
  const { dueAt, overdue, nextDueAt } = due.totals();
  const { rebootState, restartState } = dueStatesOf(kernels, facts);
  return {
    counts,
    availableUpdates: updates.available,
    phasedUpdates: updates.phased,
    updatesKnown: facts.updates === 'known',
    brokenPackages: facts.broken?.length ?? 0,
    servicesDue: servicesDueOf(facts).length,
    rebootState,
    restartState,
    grounds: grounds | updates.grounds | groundsOfReport(facts),
    supportEndsAt:
      facts.editionEnd ??
      (facts.release === null ? null : supportEndOf(facts.release, facts.subscription, facts.lifecycle)) ??
      facts.statedEnd ??
      null,
    bootedKernel: bootedKernelOf(kernels),
    judgedKernel: kernels.judged?.id ?? null,
    disagreementCount: disagreements,
    dueAt,
    overdue,
    nextDueAt,
  };
}

function groundsOfReport({ broken = [], failures }: HostFacts): number {
  const isUnread = failures.some(({ section }) => section === 'packages');
  return (broken.length > 0 ? brokenPackage : 0) | (isUnread ? unreadPackages : 0);
}

function bootedKernelOf({ running, booted }: HostKernels): BootedKernel {
  if (running.kind === 'none' && running.reason === 'not_stated') return 'not_stated';
  return booted?.id ?? null;
}

/** The same with the grounds by name. */
export function totalsOf({ grounds, ...sums }: HostSums): HostTotals {
  return { ...sums, grounds: groundsOfBits(grounds) };
}

const updateWaiting = bitsOfGrounds(['update_waiting']);
const securityUpdate = bitsOfGrounds(['security_update']);
const brokenPackage = bitsOfGrounds(['broken_package']);
const unreadPackages = bitsOfGrounds(['unread_packages']);

type Counts = { -readonly [Name in keyof FindingCounts]: number };

function emptyCounts(): Counts {
  return {
    critical: 0,
    important: 0,
    moderate: 0,
    low: 0,
    unrated: 0,
    unfixed: 0,
    unfixedCritical: 0,
    unfixedImportant: 0,
    unfixedModerate: 0,
    unfixedLow: 0,
    unfixedUnrated: 0,
    knownExploited: 0,
    waived: 0,
    unknown: 0,
  };
}

function weigh(counts: Counts, { severity, fixed, unfixed, decided, knownExploited }: Weight): void {
  if (!decided) return;
  if (!fixed) counts.unfixed += 1;
  if (fixed && isCounted(severity)) counts[severity] += 1;
  if (unfixed !== null && isCounted(unfixed)) counts[unfixedBy[unfixed]] += 1;
  if (knownExploited) counts.knownExploited += 1;
}

const unfixedBy = {
  critical: 'unfixedCritical',
  important: 'unfixedImportant',
  moderate: 'unfixedModerate',
  low: 'unfixedLow',
  unrated: 'unfixedUnrated',
} as const;

function isCounted(severity: Severity): severity is Exclude<Severity, 'none'> {
  return severity !== 'none';
}
