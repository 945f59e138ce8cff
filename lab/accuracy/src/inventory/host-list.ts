import type { OsFamily, PackageFamily } from '@plimsoll/model';
import { osFamilyOf } from '@plimsoll/reports';
import { type DraftSection, draftReport } from './report-draft.ts';

/** A host as listed by other tools: its system, its packages, and their candidates. */
export interface HostList {
  /** `ID` and `VERSION_ID` of os-release. */
  readonly os: { readonly id: string; readonly version: string };
  /** `uname -r`; empty if unknown. */
  readonly runningRelease: string;
  /** The package version of the running kernel; empty if unknown. */
  readonly runningVersion: string;
  readonly packages: readonly ListedPackage[];
}

/** One installed package. Missing values are empty. */
export interface ListedPackage {
  readonly name: string;
  readonly architecture: string;
  /** rpm; empty is 0. */
  readonly epoch: string;
  /** apt: the whole version. */
  readonly version: string;
  /** rpm. */
  readonly release: string;
  readonly sourceName: string;
  /** rpm: with or without its epoch. */
  readonly sourceVersion: string;
  readonly vendor: string;
  readonly module: string;
  readonly candidate: { readonly version: string; readonly repository: string } | null;
}

/** The report sections of a family that a list provides, and the default architecture. */
interface FamilySections {
  readonly architecture: string;
  packages(listed: readonly ListedPackage[]): DraftSection;
  updates(offered: readonly ListedPackage[]): DraftSection;
}

const sectionsOf: Readonly<Record<PackageFamily, FamilySections>> = {
  apt: {
    architecture: 'amd64',
    packages: (listed) => ({ name: 'dpkg', lines: listed.map(dpkgLine) }),
    updates: aptUpgrade,
  },
  rpm: {
    architecture: 'x86_64',
    packages: (listed) => ({ name: 'rpm', lines: listed.map(rpmLine) }),
    updates: dnfUpdates,
  },
};

/** No feed covers an unknown distribution, so a report of either family serves. */
const reportFamily: Readonly<Record<OsFamily, PackageFamily>> = { apt: 'apt', rpm: 'rpm', unknown: 'rpm' };

/** The family whose form the report of a system has, by the `ID` of its os-release. */
export function reportFamilyOf(osId: string): PackageFamily {
  return reportFamily[osFamilyOf(osId)];
}

/**
 * Builds the report that the host's collector would print, as far as the list allows. If no package has a candidate,
 * the updates are unknown.
 */
export function reportOfHostList(host: HostList): string {
  const family = reportFamilyOf(host.os.id);
  const { architecture, packages, updates } = sectionsOf[family];
  const candidates = host.packages.filter(({ candidate }) => candidate !== null);
  const offered = candidates.filter(isNewer);
  const sections: DraftSection[] = [
    { name: 'os-release', lines: [`ID="${host.os.id}"`, `VERSION_ID="${host.os.version}"`] },
    { name: 'platform', lines: [`architecture\t${architecture}`] },
    { name: 'kernel', lines: kernelLines(host) },
    packages(host.packages),
  ];
  if (candidates.length > 0) {
    sections.push(updates(offered));
  }
  return draftReport(family, sections);
}

function kernelLines({ os, runningRelease, runningVersion }: HostList): readonly string[] {
  const release = `release\t${runningRelease}`;
  // Debian's kernels state their package version in `uname -v`.
  return runningVersion === '' || os.id !== 'debian'
    ? [release]
    : [release, `version\t#1 SMP Debian ${runningVersion}`];
}

function dpkgLine({ name, architecture, version, sourceName, sourceVersion }: ListedPackage): string {
  return ['ii ', name, architecture === '' ? 'amd64' : architecture, version, sourceName, sourceVersion].join(
    '\t',
  );
}

function rpmLine(listed: ListedPackage): string {
  const { name, epoch, version, release, architecture, sourceName, sourceVersion, vendor, module } = listed;
  const sourceRpm = sourceName === '' ? '' : `${sourceName}-${sourceVersion.replace(/^\d+:/, '')}.src.rpm`;
  const columns = [name, epoch, version, release, architecture, sourceRpm, vendor, module, '', ''];
  return columns.map((column) => (column === '' ? '(none)' : column)).join('\t');
}

function isNewer({ candidate, ...listed }: ListedPackage): boolean {
  return candidate !== null && candidate.version !== '' && candidate.version !== evrOf(listed);
}

function evrOf({ epoch, version, release }: Pick<ListedPackage, 'epoch' | 'version' | 'release'>): string {
  const number = epoch === '' || epoch === '0' || epoch === '(none)' ? '' : `${epoch}:`;
  return `${number}${version}${release === '' ? '' : `-${release}`}`;
}

function aptUpgrade(offered: readonly ListedPackage[]): DraftSection {
  const installs = offered.map((listed) => {
    const { name, version, candidate } = listed;
    const architecture = listed.architecture === '' ? 'amd64' : listed.architecture;
    return `Inst ${name} [${version}] (${candidate?.version} ${candidate?.repository} [${architecture}])`;
  });
  const summary = `${offered.length} upgraded, 0 newly installed, 0 to remove and 0 not upgraded.`;
  return { name: 'apt-upgrade', lines: [...installs, summary] };
}

function dnfUpdates(offered: readonly ListedPackage[]): DraftSection {
  const updates = offered.map(
    ({ name, architecture, candidate }) =>
      `${name}.${architecture}  ${candidate?.version}  ${candidate?.repository}`,
  );
  return { name: 'updates', lines: ['tool\tdnf', ...updates], exit: updates.length > 0 ? 100 : 0 };
}
