import {
  type ActionGround,
  bitsOfGrounds,
  type DueState,
  groundsOfBits,
  type PackageVersionId,
  type Severity,
} from '@plimsoll/model';
import { type DueTotals, dueTotalsOf } from '../due/host-due.ts';
import { supportEndOf } from '../registry.ts';
import { type AlikePackages, alikeStates } from './alike-packages.ts';
import { countDisagreements, type Disagreement, disagreementsOf } from './disagreements.ts';
import { compareFindings, type Finding, findingOf } from './finding.ts';
import {
  commonState,
  entryOf,
  type FindingEntry,
  type FindingGroup,
  type FindingList,
  markOf,
  packageEntry,
  withDue,
  withWaived,
} from './finding-entries.ts';
import type { AssessedPackage, HostFacts } from './host-facts.ts';
import { type KernelPosture, kernelPostureOf } from './kernel-posture.ts';
import { groundsOf, type PackageSummary, summariseUnder, type Weight } from './package-summary.ts';
import { type HostReading, type HostRow, type OpeningState, openingStates, readHost } from './read-host.ts';
import { rowDueAt, summaryDueAt } from './row-due.ts';
import { isHeld } from './supply.ts';
import { compareUpgrades, type UpgradableRow, upgradableRows } from './upgradable.ts';

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
  /** Findings of which every visible advisory is waived; in no other number. */
  readonly waived: number;
  /** Installed packages without a verdict. */
  readonly unknown: number;
}

/** All values of a host that lists and totals show. */
export interface HostTotals extends DueTotals {
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
  /** The installed packages that are not in `alike`. */
  readonly packages: readonly PackageSummary[];
  /** Installed packages with an alikeKey, none of which is held or has the name of an update. Absent: none. */
  readonly alike?: readonly AlikePackages[];
  /** The summary of a package in `alike`. */
  readonly summaryOf?: (id: PackageVersionId) => PackageSummary;
  /** The interned package of runningKernelSubject; null if it found none to intern. */
  readonly runningKernel: PackageSummary | null;
  readonly facts: HostFacts;
}

/** A counted host: its totals and the open advisories that they rest on. */
export interface CountedFindings {
  readonly totals: HostTotals;
  readonly findings: FindingList;
}

/** Counts a host without listing its findings. Always agrees with assessHost. */
export function countHost(host: CountedHost): CountedFindings {
  const { packages, alike = [], runningKernel, facts } = host;
  const reading = readHost(packages, runningKernel, facts);
  const states = rowStates(reading);
  const entries: FindingEntry[] = [];
  for (const row of reading.rows) {
    const open = states.get(row);
    const entry = open === undefined ? null : entryOf(row, reading, open);
    const dated = entry === null ? null : withDue(entry, rowDueAt(row, reading));
    const whole = row.subject.waived === null ? dated : withWaived(dated, row, reading);
    if (whole !== null) entries.push(whole);
  }
  const groups: FindingGroup[] = [];
  const alikeDues: number[] = [];
  for (const { summary, ids } of alike) {
    if (summary.standing !== 'comparable' || summary.openings.length === 0) continue;
    const common = commonState(alikeStates(summary, facts));
    if (facts.due === undefined && common !== undefined) {
      groups.push({ versionIds: ids, mark: markOf(common) });
      continue;
    }
    for (const id of ids) {
      const own = summaryIn(host, id);
      const dueAt = facts.due === undefined ? Number.POSITIVE_INFINITY : summaryDueAt(own, facts.due);
      alikeDues.push(dueAt);
      const entry: FindingEntry =
        common === undefined
          ? packageEntry(id, alikeStates(own, facts))
          : { versionId: id, mark: markOf(common), exceptions: [] };
      entries.push(withDue(entry, dueAt));
    }
  }
  return { totals: totalsOf(reading, { states, alike, alikeDues }), findings: { groups, entries } };
}

function summaryIn({ summaryOf }: CountedHost, id: PackageVersionId): PackageSummary {
  if (summaryOf === undefined) throw new Error('packages that count alike need their summaries');
  return summaryOf(id);
}

/** The fix states of each row's open statements; rows without open statements are absent. */
function rowStates(reading: HostReading): ReadonlyMap<HostRow, readonly OpeningState[]> {
  const states = new Map<HostRow, readonly OpeningState[]>();
  for (const row of reading.rows) {
    const open = openingStates(row, reading);
    if (open.length > 0) states.set(row, open);
  }
  return states;
}

/** The totals of a host reading, and of packages that count alike. */
function totalsOf(
  reading: HostReading,
  {
    states,
    alike = [],
    alikeDues = [],
  }: {
    readonly states: ReadonlyMap<HostRow, readonly OpeningState[]>;
    readonly alike?: readonly AlikePackages[];
    /** When the findings of packages in `alike` are due. */
    readonly alikeDues?: readonly number[];
  },
): HostTotals {
  const { facts } = reading;
  const { rebootState, restartState } = kernelPostureOf(reading.kernels, facts);
  const updates = facts.upgrades.filter(({ change }) => change !== 'new');
  const counts = emptyCounts();
  counts.unknown = reading.unknown;
  let grounds = 0;
  for (const [{ subject }, open] of states) {
    if (subject.weight !== null) tally(counts, subject.weight, 1);
    for (const { opening, state } of open) grounds |= groundsOf(opening, state);
  }
  for (const { subject } of reading.rows) if (subject.waived?.counted === true) counts.waived += 1;
  for (const { summary, ids } of alike) {
    const packages = ids.length;
    if (summary.standing === 'unknown') counts.unknown += packages;
    if (summary.standing !== 'comparable') continue;
    if (summary.weight !== null) tally(counts, summary.weight, packages);
    for (const { opening, state } of alikeStates(summary, facts)) grounds |= groundsOf(opening, state);
  }
  for (const { upgrade } of updates) {
    if (upgrade.phased) continue;
    grounds |= updateWaiting;
    if (upgrade.isSecurity && !isHeld(upgrade, reading.offers)) grounds |= securityUpdate;
  }
  const dues = [...states.keys()].map((row) => rowDueAt(row, reading));
  return {
    ...dueTotalsOf([...dues, ...alikeDues], facts.due?.now ?? 0),
    counts,
    availableUpdates: updates.length,
    updatesKnown: facts.updates === 'known',
    servicesDue: facts.services.toRestart.length,
    rebootState,
    restartState,
    grounds: groundsOfBits(grounds),
    supportEndsAt:
      facts.release === null ? null : supportEndOf(facts.release, facts.subscription, facts.lifecycle),
    judgedKernel: reading.kernels.judged?.id ?? null,
    disagreementCount: countDisagreements(reading, states),
  };
}

const updateWaiting = bitsOfGrounds(['update_waiting']);
const securityUpdate = bitsOfGrounds(['security_update']);

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
    waived: 0,
    unknown: 0,
  };
}

function tally(counts: Tally, { severity, fixed, decided, knownExploited }: Weight, packages: number): void {
  if (!decided) return;
  if (!fixed) counts.unfixed += packages;
  else if (isCounted(severity)) counts[severity] += packages;
  if (knownExploited) counts.knownExploited += packages;
}

function isCounted(severity: Severity): severity is Exclude<Severity, 'none'> {
  return severity !== 'none';
}

/** A host with the package versions and facts to assess. */
export interface AssessedHost {
  readonly packages: readonly AssessedPackage[];
  /** The interned package of runningKernelSubject; null if it found none to intern. */
  readonly runningKernel: AssessedPackage | null;
  readonly facts: HostFacts;
}

/** The full assessment of a host: its totals and the items they count. */
export interface Assessment extends HostTotals {
  /** All findings including hidden ones, the worst first; selectFindings filters them. */
  readonly findings: readonly Finding[];
  readonly upgradable: readonly UpgradableRow[];
  /** Offers of a lower version than the installed one; not counted. */
  readonly downgrades: readonly UpgradableRow[];
  /** The installed packages that are matched with statements; of kernels only the running one and its parts. */
  readonly judged: ReadonlySet<PackageVersionId>;
  readonly kernelPosture: KernelPosture;
  /** Sorted by name, architecture and candidate. */
  readonly disagreements: readonly Disagreement[];
}

/** A host's reading with the package that each of its summaries is of. */
interface ReadHost {
  readonly reading: HostReading;
  subjectOf(summary: PackageSummary): AssessedPackage;
}

/** Reads a host for a full assessment. */
export function readAssessedHost({ packages, runningKernel, facts }: AssessedHost): ReadHost {
  const subjects = new Map<PackageSummary, AssessedPackage>();
  const summarise = (subject: AssessedPackage): PackageSummary => {
    const summary = summariseUnder(facts.waivers, subject);
    subjects.set(summary, subject);
    return summary;
  };
  const subjectOf = (summary: PackageSummary): AssessedPackage => {
    const subject = subjects.get(summary);
    if (subject === undefined) throw new Error('a row belongs to none of the summarized packages');
    return subject;
  };
  const running = runningKernel === null ? null : summarise(runningKernel);
  const upgrades = [...facts.upgrades].sort(compareUpgrades);
  return {
    reading: readHost(
      packages.map((each) => summarise(each)),
      running,
      { ...facts, upgrades },
    ),
    subjectOf,
  };
}

/** Assesses a host. The order of packages and upgrades does not matter. */
export function assessHost(host: AssessedHost): Assessment {
  const { reading, subjectOf } = readAssessedHost(host);
  const findings = reading.rows.flatMap(
    (row) => findingOf(row, subjectOf(row.subject), subjectOf(row.installed), reading) ?? [],
  );
  const states = rowStates(reading);
  return {
    ...totalsOf(reading, { states }),
    findings: findings.sort(compareFindings),
    upgradable: upgradableRows(reading.facts.upgrades, reading, subjectOf),
    downgrades: upgradableRows(reading.downgrades, reading, subjectOf),
    judged: new Set(reading.rows.map(({ installed }) => installed.id)),
    kernelPosture: kernelPostureOf(reading.kernels, host.facts),
    disagreements: disagreementsOf(reading, states),
  };
}
