import type { SectionFailure } from '@plimsoll/model';
import type { ReportFacts } from '../section-registry.ts';
import type { PackageFile } from '../sections/apt-files.ts';
import type { AptPolicyFacts } from '../sections/apt-policy.ts';
import type { AptUpgradeFacts } from '../sections/apt-upgrade.ts';
import type { DpkgPackage } from '../sections/dpkg.ts';
import { aptKernels } from './apt-kernels.ts';
import { AptNames } from './apt-names.ts';
import { AptArchives, isDistributions } from './apt-origin.ts';
import { aptPackages } from './apt-packages.ts';
import { aptRepositories, missingLists } from './apt-repositories.ts';
import { aptUpgrades } from './apt-upgrades.ts';
import { aptBroken } from './broken-fields.ts';
import type { FamilyState } from './family-state.ts';
import { failureIn } from './section-failure.ts';

/** Combines the sections of an apt report. */
export function aptState(facts: ReportFacts): FamilyState {
  const packages = facts.dpkg ?? [];
  const files: ReadonlyMap<string, PackageFile> = facts['apt-files'] ?? new Map();
  const policies = facts['apt-policy'] ?? new Map();
  const names = new AptNames(facts.platform?.architecture ?? '');
  const osId = facts['os-release']?.values.get('ID')?.toLowerCase() ?? '';
  const archives = new AptArchives(files, osId, areAllRead(facts, files, osId));
  const simulation = facts['apt-upgrade'];
  const candidates = facts['apt-candidates'] ?? new Map();
  const upgrades =
    simulation === null ? [] : aptUpgrades({ packages, names, policies, archives, candidates, simulation });
  return {
    packages: aptPackages(packages, policies, names, archives),
    packageLines: packages.map(({ line }) => line),
    upgrades: upgrades.map(({ fields }) => fields),
    upgradeLines: upgrades.map(({ line }) => line),
    broken: aptBroken(packages),
    kernels: aptKernels(packages.filter(({ version }) => version !== '')),
    repositories: aptRepositories(facts['apt-sources'] ?? [], files),
    subscription: contractInForce(facts),
    failures: [...listFailures(facts, files), ...withheldFailures(packages, { names, policies, simulation })],
    sectionsOfFields: [
      ['/packages', 'dpkg'],
      ['/upgradable', 'apt-upgrade'],
      ['/repositories', 'apt-sources'],
      ['/subscription', 'pro'],
    ],
  };
}

/** For so long after its end the archives of a contract stay open: contract_status of the Pro client's API. */
const graceMs = 14 * 86_400_000;

/** Ubuntu Pro. A host whose contract is over stays attached, and its services enabled, without updates. */
function contractInForce({ pro, observed }: ReportFacts): FamilyState['subscription'] {
  if (pro === null) return null;
  const { expiresAt, ...subscription } = pro;
  const collectedMs = Number(observed?.collectedAt?.seconds ?? 0n) * 1000;
  const isOver = expiresAt !== null && collectedMs > expiresAt + graceMs;
  return isOver ? { ...subscription, services: [] } : subscription;
}

/** Whether the lists of all sources were read, among them those of the distribution or of most of what is installed. */
function areAllRead(facts: ReportFacts, files: ReadonlyMap<string, PackageFile>, osId: string): boolean {
  const { 'apt-sources': sources, 'apt-policy': policies } = facts;
  if (sources === null || policies === null || files.size === 0) return false;
  const fetched = new Set(facts.observed?.refreshed.map(({ repositoryId }) => repositoryId));
  if (missingLists(sources, files, fetched).length > 0) return false;
  if ([...files.values()].some((file) => isDistributions(file, osId))) return true;
  const offered = [...policies.values()].filter(({ versions }) =>
    versions.some((version) => version.files.some((file) => files.has(file))),
  );
  return offered.length * 2 >= policies.size;
}

/** Updates that apt withholds are known by the policies alone; the simulation names their packages. */
function withheldFailures(
  packages: readonly DpkgPackage[],
  {
    names,
    policies,
    simulation,
  }: {
    readonly names: AptNames;
    readonly policies: AptPolicyFacts;
    readonly simulation: AptUpgradeFacts | null;
  },
): readonly SectionFailure[] {
  if (simulation === null) return [];
  const withheld = new Set([...simulation.keptBack, ...simulation.deferred]);
  if (withheld.size === 0) return [];
  const unread = packages.filter(
    ({ name, architecture }) =>
      names.of(name, architecture).some((aptName) => withheld.has(aptName)) &&
      names.find(policies, name, architecture) === undefined,
  );
  if (unread.length === 0) return [];
  const named = unread.slice(0, mostNamed).map(({ name }) => name);
  return [
    failureIn('apt-upgrade', `apt withholds updates that apt-policy does not have: ${named.join(', ')}`),
  ];
}

const mostNamed = 5;

/**
 * Without lists apt simulates an upgrade of nothing, which answers nothing; with some lists missing, the answer
 * excludes the packages in them.
 */
function listFailures(
  facts: ReportFacts,
  files: ReadonlyMap<string, PackageFile>,
): readonly SectionFailure[] {
  if (facts['apt-files'] === null) return [];
  if (files.size === 0) return [failureIn('apt-upgrade', 'the package lists were never fetched')];
  const fetched = new Set(facts.observed?.refreshed.map(({ repositoryId }) => repositoryId));
  if (fetched.size === 0) return [];
  const missing = missingLists(facts['apt-sources'] ?? [], files, fetched);
  if (missing.length === 0) return [];
  const named = missing.slice(0, mostNamed).map(({ url, suite }) => `${url} ${suite}`);
  return [failureIn('apt-upgrade', `the package lists of ${named.join(', ')} were never fetched`)];
}
