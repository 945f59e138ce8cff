import type { PackageVersionId } from '@plimsoll/model';
import { DueTally } from '../due/host-due.ts';
import { type HostTotals, sumsOf, tallyOf, tallyUpdates, totalsOf } from './count-host.ts';
import { type Disagreement, disagreementsOf } from './disagreements.ts';
import { compareFindings, type Finding, findingOf } from './finding.ts';
import type { AssessedPackage, HostFacts } from './host-facts.ts';
import { type KernelPosture, kernelPostureOf } from './kernel-posture.ts';
import { type PackageSummary, summariseUnder } from './package-summary.ts';
import { type HostReading, readHost, rowDueSpan, rowStates } from './read-host.ts';
import { compareUpgrades, type UpgradableRow, upgradableRows } from './upgradable.ts';

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

/**
 * The findings of a host as assessHost returns them. They do not depend on its services, its boot time and its core
 * updates.
 */
export function findingsOf(host: AssessedHost): readonly Finding[] {
  return findingsIn(readAssessedHost(host));
}

function findingsIn({ reading, subjectOf }: ReadHost): readonly Finding[] {
  return reading.rows
    .flatMap((row) => findingOf(row, subjectOf(row.subject), subjectOf(row.installed), reading) ?? [])
    .sort(compareFindings);
}

/** Assesses a host. The order of packages and upgrades does not matter. */
export function assessHost(host: AssessedHost): Assessment {
  const read = readAssessedHost(host);
  const { reading, subjectOf } = read;
  const states = rowStates(reading);
  const downgrades = host.facts.upgrades.filter(({ change }) => change === 'downgrade').sort(compareUpgrades);
  const due = new DueTally(host.facts.due);
  for (const row of states.keys()) due.add(rowDueSpan(row, reading), row.subject.id);
  const updates = tallyUpdates(reading.facts.upgrades, reading.offers);
  return {
    ...totalsOf(sumsOf(reading, tallyOf(reading, states), { updates, due })),
    findings: findingsIn(read),
    upgradable: upgradableRows(reading.facts.upgrades, reading, subjectOf),
    downgrades: upgradableRows(downgrades, reading, subjectOf),
    judged: new Set(reading.rows.map(({ installed }) => installed.id)),
    kernelPosture: kernelPostureOf(reading.kernels, host.facts),
    disagreements: disagreementsOf(reading, states),
  };
}
