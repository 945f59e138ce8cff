import type { SnapshotFields } from '../../snapshot/snapshot-fields.ts';
import { type AptCandidatesFacts, candidateKey } from '../sections/apt-candidates.ts';
import type { PackageFile } from '../sections/apt-files.ts';
import type { AptPolicyFacts, PackagePolicy } from '../sections/apt-policy.ts';
import type { AptUpgradeFacts, SimulatedInstall } from '../sections/apt-upgrade.ts';
import type { DpkgPackage } from '../sections/dpkg.ts';
import { type AptNames, bareName } from './apt-names.ts';
import {
  type AptArchives,
  archiveOf,
  isSecurityArchive,
  releaseName,
  repositoriesOf,
  suiteOf,
  vendorOf,
} from './apt-origin.ts';
import type { PlacedUpgrade } from './placed-upgrade.ts';

type UpgradeFields = SnapshotFields['upgradable'][number];

/** The inputs for the updates of an apt host. */
export interface AptUpgradeSources {
  readonly packages: readonly DpkgPackage[];
  readonly names: AptNames;
  readonly policies: AptPolicyFacts;
  readonly archives: AptArchives;
  readonly candidates: AptCandidatesFacts;
  readonly simulation: AptUpgradeFacts;
}

/**
 * The updates of an apt host: the packages that the simulation would install, and packages with a known newer version
 * that is held, kept back, or offered to other hosts first.
 */
export function aptUpgrades(sources: AptUpgradeSources): readonly PlacedUpgrade[] {
  const { packages, names, policies, simulation } = sources;
  const simulated = new Set(simulation.installs.map(({ name }) => name));
  const upgrades = simulation.installs.map((install) => ({
    fields: simulatedUpgrade(install, sources),
    line: install.line,
  }));
  for (const installed of packages) {
    const { name, architecture, version } = installed;
    if (names.of(name, architecture).some((aptName) => simulated.has(aptName))) continue;
    const policy = names.find(policies, name, architecture);
    if (policy === undefined || !offersNewer(policy, version)) continue;
    upgrades.push({ fields: withheldUpgrade(installed, policy, sources), line: policy.line });
  }
  return upgrades;
}

/** Whether the candidate is newer than the installed version: apt lists the newest first. */
function offersNewer({ versions, installed, candidate }: PackagePolicy, version: string): boolean {
  if (candidate === null || installed !== version) return false;
  const at = versions.findIndex((entry) => entry.version === candidate);
  return at >= 0 && at < versions.findIndex((entry) => entry.version === installed);
}

function simulatedUpgrade(install: SimulatedInstall, sources: AptUpgradeSources): UpgradeFields {
  const { policies, archives, candidates } = sources;
  const { architecture, candidateVersion, installedVersion, releases } = install;
  const name = bareName(install.name);
  const known = policies.get(install.name);
  const policy = known?.candidate === candidateVersion ? known : null;
  const archive = policy === null ? archives.named(releases) : archiveOf(policy, candidateVersion, archives);
  return {
    name,
    architecture,
    installedVersion,
    candidateVersion,
    repository: releases,
    isSecurity: isSecurityRelease(releases) || (policy !== null && closesSecurity(policy, archives)),
    held: false,
    phased: false,
    ...sourceOf(name, architecture, candidateVersion, candidates),
    ...placeOf(archive),
    advisoryIds: [],
  };
}

function withheldUpgrade(
  { name, architecture, version, held }: DpkgPackage,
  policy: PackagePolicy,
  { names, archives, candidates, simulation }: AptUpgradeSources,
): UpgradeFields {
  const candidateVersion = policy.candidate ?? '';
  const offered = policy.versions.find((entry) => entry.version === candidateVersion);
  const files = offered === undefined ? [] : repositoriesOf(offered, archives);
  const isDeferred = names.of(name, architecture).some((aptName) => simulation.deferred.has(aptName));
  const phased = isDeferred || (offered?.phasedPercent ?? 100) < 100;
  return {
    name,
    architecture,
    installedVersion: version,
    candidateVersion,
    repository: [...new Set(files.map(releaseName))].join(', '),
    isSecurity: closesSecurity(policy, archives),
    // An update that is neither held by name nor phased is kept back: something on this host blocks it.
    held: held || !phased,
    phased,
    ...sourceOf(name, architecture, candidateVersion, candidates),
    ...placeOf(archiveOf(policy, candidateVersion, archives)),
    advisoryIds: [],
  };
}

function placeOf(archive: PackageFile | null): Pick<PlacedUpgrade['fields'], 'suite' | 'origin' | 'label'> {
  return archive === null
    ? { suite: '', origin: '', label: '' }
    : { suite: suiteOf(archive), origin: vendorOf(archive), label: archive.label };
}

/** Whether a version above the installed one, up to the candidate, is in an archive of security updates. */
function closesSecurity({ versions, installed, candidate }: PackagePolicy, archives: AptArchives): boolean {
  const from = versions.findIndex(({ version }) => version === candidate);
  const to = versions.findIndex(({ version }) => version === installed);
  if (from < 0) return false;
  const newer = versions.slice(from, to < 0 ? from + 1 : to);
  return newer.some((entry) => repositoriesOf(entry, archives).some(isSecurityArchive));
}

function sourceOf(
  name: string,
  architecture: string,
  version: string,
  candidates: AptCandidatesFacts,
): { readonly sourceName: string; readonly sourceVersion: string } {
  const source =
    candidates.get(candidateKey(name, architecture, version)) ??
    candidates.get(candidateKey(name, 'all', version));
  return { sourceName: source?.name ?? '', sourceVersion: source?.version ?? '' };
}

function isSecurityRelease(releases: string): boolean {
  return releases
    .split(', ')
    .some((name) => name.startsWith('Debian-Security:') || name.endsWith('-security'));
}
