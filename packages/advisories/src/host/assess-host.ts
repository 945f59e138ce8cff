import type { PackageVersionId } from '@plimsoll/model';
import type { HostTotals } from './count-host.ts';
import { rowStates, totalsOf } from './count-host.ts';
import { type Disagreement, disagreementsOf } from './disagreements.ts';
import { compareFindings, type Finding, findingOf } from './finding.ts';
import type { AssessedPackage, HostFacts } from './host-facts.ts';
import { type KernelPosture, kernelPostureOf } from './kernel-posture.ts';
import { type PackageSummary, summarisePackage } from './package-summary.ts';
import { readHost } from './read-host.ts';
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

/** Assesses a host. The order of packages and upgrades does not matter. */
export function assessHost({ packages, runningKernel, facts }: AssessedHost): Assessment {
  const subjects = new Map<PackageSummary, AssessedPackage>();
  const summarise = (subject: AssessedPackage): PackageSummary => {
    const summary = summarisePackage(subject);
    subjects.set(summary, subject);
    return summary;
  };
  const subjectOf = (summary: PackageSummary): AssessedPackage => {
    const subject = subjects.get(summary);
    if (subject === undefined) throw new Error('a row is of none of the packages that were summed up');
    return subject;
  };
  const running = runningKernel === null ? null : summarise(runningKernel);
  const upgrades = [...facts.upgrades].sort(compareUpgrades);
  const reading = readHost(packages.map(summarise), running, { ...facts, upgrades });
  const findings = reading.rows.flatMap(
    (row) => findingOf(row, subjectOf(row.subject), subjectOf(row.installed), reading) ?? [],
  );
  const states = rowStates(reading);
  return {
    ...totalsOf(reading, states),
    findings: findings.sort(compareFindings),
    upgradable: upgradableRows(reading.facts.upgrades, reading, subjectOf),
    downgrades: upgradableRows(reading.downgrades, reading, subjectOf),
    judged: new Set(reading.rows.map(({ installed }) => installed.id)),
    kernelPosture: kernelPostureOf(reading.kernels, facts),
    disagreements: disagreementsOf(reading, states),
  };
}
