import type { FieldError, InstalledPackage, Release, Upgrade } from '@plimsoll/model';
import { isSameArchitecture } from '../builds.ts';
import { changeOf } from './offer-change.ts';

/** A report's offers corrected by its package list, with notes on the corrections. */
export interface SettledOffers {
  readonly upgrades: readonly Upgrade[];
  readonly notes: readonly FieldError[];
}

const pointer = '/upgradable';
const namedInNote = 5;

/**
 * Corrects the offers of a report by its package list, which decides what is installed, because findings are judged by
 * it. An offer starts from the newest installed version of its name and architecture; if the list has none, from the
 * version it states. Removes offers of an installed version.
 */
export function settleOffers(
  upgrades: readonly Upgrade[],
  packages: readonly InstalledPackage[],
  release: Release,
): SettledOffers {
  const index = new InstalledIndex(packages, new Set(upgrades.map(({ name }) => name)), release);
  const settled: Upgrade[] = [];
  const same: Upgrade[] = [];
  const corrected: Upgrade[] = [];
  for (const upgrade of upgrades) {
    const { name, architecture, installedVersion: stated, candidateVersion } = upgrade;
    const installed = index.versionsFor(name, architecture);
    const isInstalled =
      installed === null
        ? changeOf(stated, candidateVersion, release) === 'same'
        : installed.includesSame(candidateVersion);
    if (isInstalled) {
      same.push(upgrade);
      continue;
    }
    if (stated !== '' && installed?.has(stated) === false) corrected.push(upgrade);
    const from = installed?.newest ?? stated;
    settled.push(from === stated ? upgrade : { ...upgrade, installedVersion: from });
  }
  const notes = [
    noteOn(same, 'offer the version that is installed and were left out'),
    noteOn(corrected, 'name an installed version that the package list does not have; the list counts'),
  ].flatMap((note) => note ?? []);
  return { upgrades: settled, notes };
}

function noteOn(upgrades: readonly Upgrade[], what: string): FieldError | null {
  if (upgrades.length === 0) return null;
  const named = upgrades
    .slice(0, namedInNote)
    .map(({ name, candidateVersion }) => `${name} ${candidateVersion}`);
  const more = upgrades.length > namedInNote ? ', …' : '';
  return { pointer, detail: `${upgrades.length} entries ${what}: ${named.join(', ')}${more}` };
}

/** Versions of one name and architecture that are compared one by one; real hosts have fewer. */
const maxCompared = 50;

/** The installed versions of a package for the architecture of an offer. */
interface InstalledVersions {
  readonly newest: string;
  has(version: string): boolean;
  /** Whether a version is installed, possibly in another spelling. */
  includesSame(version: string): boolean;
}

/** Looks up installed packages. Construction and lookups take linear time in total. */
class InstalledIndex {
  private readonly byName = new Map<string, PackagesOfName>();
  private readonly release: Release;

  constructor(packages: readonly InstalledPackage[], names: ReadonlySet<string>, release: Release) {
    this.release = release;
    for (const installed of packages) {
      const { name } = installed;
      if (!names.has(name)) continue;
      const known = this.byName.get(name);
      if (known === undefined) this.byName.set(name, { first: installed, others: [], groups: null });
      else known.others.push(installed);
    }
  }

  /**
   * The versions that an offer replaces: those of its architecture, else of one that it can replace; null if none is
   * installed.
   */
  versionsFor(name: string, architecture: string): InstalledVersions | null {
    const found = this.byName.get(name);
    if (found === undefined) return null;
    const replacesAny = isSameArchitecture(architecture, '');
    // Nearly all packages are installed once.
    if (found.others.length === 0) {
      const { first } = found;
      const isReplaced = first.architecture === architecture || replacesAny || isIndependent(first);
      return isReplaced ? this.versionsOf([first.version]) : null;
    }
    found.groups ??= groupsOf([found.first, ...found.others]);
    return (
      this.group(found.groups, `of ${architecture}`) ??
      this.group(found.groups, replacesAny ? 'any' : 'independent')
    );
  }

  private group(groups: Map<string, VersionGroup>, key: string): InstalledVersions | null {
    const group = groups.get(key);
    if (group === undefined) return null;
    group.read ??= this.versionsOf(group.versions);
    return group.read;
  }

  /** Kernels are installed in parallel. Of versions that cannot be compared the first applies. */
  private versionsOf(versions: readonly string[]): InstalledVersions {
    const { release } = this;
    const distinct = new Set(versions);
    const newest = versions.reduce((best, version) =>
      changeOf(best, version, release) === 'upgrade' ? version : best,
    );
    const compared = [newest, ...[...distinct].slice(0, maxCompared)];
    return {
      newest,
      has: (version) => distinct.has(version),
      includesSame: (version) =>
        distinct.has(version) || compared.some((one) => changeOf(one, version, release) === 'same'),
    };
  }
}

/** The installed packages of one name. */
interface PackagesOfName {
  readonly first: InstalledPackage;
  readonly others: InstalledPackage[];
  /** Made when they are first asked for. */
  groups: Map<string, VersionGroup> | null;
}

interface VersionGroup {
  readonly versions: string[];
  read: InstalledVersions | null;
}

/** The versions of packages of one name: of each architecture, of any, and of those that are independent of it. */
function groupsOf(packages: readonly InstalledPackage[]): Map<string, VersionGroup> {
  const groups = new Map<string, VersionGroup>();
  const add = (key: string, version: string) => {
    const group = groups.get(key);
    if (group === undefined) groups.set(key, { versions: [version], read: null });
    else group.versions.push(version);
  };
  for (const installed of packages) {
    add(`of ${installed.architecture}`, installed.version);
    add('any', installed.version);
    if (isIndependent(installed)) add('independent', installed.version);
  }
  return groups;
}

/** Whether an offer of any architecture can replace a package. */
function isIndependent({ architecture }: InstalledPackage): boolean {
  return isSameArchitecture('\n', architecture);
}
