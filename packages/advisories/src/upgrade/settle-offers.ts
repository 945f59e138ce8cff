import type { FieldError, InstalledPackage, Release, Upgrade } from '@plimsoll/model';
import { isSameArchitecture } from '../matching/same-architecture.ts';
import { changeOf } from './offer-change.ts';

/** A report's offers as its own package list has them, with notes on what was set right. */
export interface SettledOffers {
  readonly upgrades: readonly Upgrade[];
  readonly notes: readonly FieldError[];
}

const pointer = '/upgradable';
const namedInNote = 5;

/**
 * Holds the offers of a report against its package list. The list decides what is installed: findings are judged by it.
 * An offer starts from the newest installed version of its name and architecture, whatever it says itself; where the
 * list has none, from what it says. An offer of a version that is installed is no update and is left out.
 */
export function settleOffers(
  upgrades: readonly Upgrade[],
  packages: readonly InstalledPackage[],
  release: Release,
): SettledOffers {
  const byName = packagesNamed(new Set(upgrades.map(({ name }) => name)), packages);
  const settled: Upgrade[] = [];
  const same: Upgrade[] = [];
  const corrected: Upgrade[] = [];
  for (const upgrade of upgrades) {
    const installed = versionsFor(upgrade, byName.get(upgrade.name) ?? []);
    const candidate = upgrade.candidateVersion;
    const from = newest(installed, release) ?? upgrade.installedVersion;
    if ([from, ...installed].some((version) => changeOf(version, candidate, release) === 'same')) {
      same.push(upgrade);
      continue;
    }
    if (
      upgrade.installedVersion !== '' &&
      installed.length > 0 &&
      !installed.includes(upgrade.installedVersion)
    )
      corrected.push(upgrade);
    settled.push(from === upgrade.installedVersion ? upgrade : { ...upgrade, installedVersion: from });
  }
  const notes = [
    noteOn(same, 'offer the version that is installed and were left out'),
    noteOn(corrected, 'name an installed version that the package list does not have; the list counts'),
  ].flatMap((note) => note ?? []);
  return { upgrades: settled, notes };
}

function packagesNamed(
  names: ReadonlySet<string>,
  packages: readonly InstalledPackage[],
): ReadonlyMap<string, readonly InstalledPackage[]> {
  const byName = new Map<string, InstalledPackage[]>();
  for (const installed of packages) {
    if (!names.has(installed.name)) continue;
    const others = byName.get(installed.name);
    if (others === undefined) byName.set(installed.name, [installed]);
    else others.push(installed);
  }
  return byName;
}

/** The installed versions of a name: of the offer's own architecture, else of one that it can replace. */
function versionsFor(upgrade: Upgrade, named: readonly InstalledPackage[]): readonly string[] {
  const own = named.filter(({ architecture }) => architecture === upgrade.architecture);
  const replaced =
    own.length > 0
      ? own
      : named.filter(({ architecture }) => isSameArchitecture(upgrade.architecture, architecture));
  return replaced.map(({ version }) => version);
}

/** Kernels are installed side by side. Of versions that cannot be compared the first counts. */
function newest(versions: readonly string[], release: Release): string | null {
  const [first, ...others] = versions;
  if (first === undefined) return null;
  return others.reduce(
    (best, version) => (changeOf(best, version, release) === 'upgrade' ? version : best),
    first,
  );
}

function noteOn(upgrades: readonly Upgrade[], what: string): FieldError | null {
  if (upgrades.length === 0) return null;
  const named = upgrades
    .slice(0, namedInNote)
    .map(({ name, candidateVersion }) => `${name} ${candidateVersion}`);
  const more = upgrades.length > namedInNote ? ', …' : '';
  return { pointer, detail: `${upgrades.length} entries ${what}: ${named.join(', ')}${more}` };
}
