import type { OfferedAdvisory } from '../sections/advisories.ts';
import type { RpmPackage } from '../sections/rpm.ts';
import type { OfferedUpdate } from '../sections/updates.ts';
import type { PlacedUpgrade } from './placed-upgrade.ts';

/** The inputs for the updates of an rpm host. */
export interface RpmUpgradeSources {
  readonly updates: readonly OfferedUpdate[];
  /** Whether `updates` are all of them; otherwise some could not be read. */
  readonly areRead: boolean;
  /** The offers without locks and excludes, including `updates`. */
  readonly withoutLocks: readonly OfferedUpdate[];
  /** The names that locks and excludes cover. */
  readonly locked: ReadonlySet<string>;
  readonly advisories: readonly OfferedAdvisory[];
  readonly packages: readonly RpmPackage[];
}

/**
 * The updates of an rpm host, in report order, with the advisories that its repositories name for them. An update
 * offered only without locks is held; if not all offers with locks could be read, it is held if a lock names it.
 */
export function rpmUpgrades(sources: RpmUpgradeSources): readonly PlacedUpgrade[] {
  const installed = newestInstalled(sources.packages);
  const advisories = groupAdvisories(sources.advisories);
  const { updates, areRead, locked } = sources;
  const offered = new Set(updates.map(identityOf));
  const others = sources.withoutLocks.filter((update) => !offered.has(identityOf(update)));
  const toUpgrade = (update: OfferedUpdate, held: boolean): PlacedUpgrade => {
    const { name, architecture, candidateVersion, repository, line } = update;
    const named = advisories.get(keyOf(name, architecture));
    const fields = {
      name,
      architecture,
      installedVersion: installedVersion(installed, name, architecture),
      candidateVersion,
      repository,
      isSecurity: named?.isSecurity === true,
      held,
      phased: false,
      // Repositories' lists do not state the source of their packages.
      sourceName: '',
      sourceVersion: '',
      suite: '',
      label: '',
      origin: '',
      advisoryIds: named?.ids ?? [],
    };
    return { fields, line };
  };
  return [
    ...updates.map((update) => toUpgrade(update, false)),
    ...others.map((update) => toUpgrade(update, areRead || locked.has(update.name))),
  ];
}

function identityOf({ name, architecture, candidateVersion }: OfferedUpdate): string {
  return `${keyOf(name, architecture)} ${candidateVersion}`;
}

function keyOf(name: string, architecture: string): string {
  return `${name}.${architecture}`;
}

/** Several kernel versions are installed in parallel: an update replaces the newest. */
function newestInstalled(packages: readonly RpmPackage[]): ReadonlyMap<string, RpmPackage> {
  const newest = new Map<string, RpmPackage>();
  for (const installed of packages) {
    const key = keyOf(installed.name, installed.architecture);
    const other = newest.get(key);
    if (other === undefined || (installed.installedAt?.seconds ?? 0n) >= (other.installedAt?.seconds ?? 0n)) {
      newest.set(key, installed);
    }
  }
  return newest;
}

/** An update can make a package architecture-independent, or the reverse. */
function installedVersion(
  installed: ReadonlyMap<string, RpmPackage>,
  name: string,
  architecture: string,
): string {
  const own = installed.get(keyOf(name, architecture)) ?? installed.get(keyOf(name, 'noarch'));
  if (own !== undefined || architecture !== 'noarch') return own?.version ?? '';
  for (const other of ['x86_64', 'aarch64', 'ppc64le', 's390x', 'i686']) {
    const found = installed.get(keyOf(name, other));
    if (found !== undefined) return found.version;
  }
  return '';
}

interface NamedAdvisories {
  readonly ids: string[];
  isSecurity: boolean;
}

function groupAdvisories(advisories: readonly OfferedAdvisory[]): ReadonlyMap<string, NamedAdvisories> {
  const groups = new Map<string, NamedAdvisories>();
  for (const { name, architecture, id, isSecurity } of advisories) {
    const key = keyOf(name, architecture);
    const group = groups.get(key) ?? { ids: [], isSecurity: false };
    groups.set(key, group);
    group.ids.push(id);
    group.isSecurity ||= isSecurity;
  }
  return groups;
}
