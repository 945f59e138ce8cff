import type { FieldError, InstalledPackage, Release, Upgrade } from '@plimsoll/model';
import { isSameArchitecture } from '../matching/builds.ts';
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
  private readonly groups = new Map<string, string[]>();
  private readonly read = new Map<string, InstalledVersions | null>();
  private readonly release: Release;

  constructor(packages: readonly InstalledPackage[], names: ReadonlySet<string>, release: Release) {
    this.release = release;
    for (const { name, architecture, version } of packages) {
      if (!names.has(name)) continue;
      this.add(`${name} ${architecture}`, version);
      this.add(`${name}\nany`, version);
      // An offer of any architecture can replace architecture-independent packages.
      if (isSameArchitecture('\n', architecture)) this.add(`${name}\nindependent`, version);
    }
  }

  /**
   * The versions that an offer replaces: those of its architecture, else of one that it can replace; null if none is
   * installed.
   */
  versionsFor(name: string, architecture: string): InstalledVersions | null {
    const replaced = isSameArchitecture(architecture, '') ? 'any' : 'independent';
    return this.group(`${name} ${architecture}`) ?? this.group(`${name}\n${replaced}`);
  }

  private add(key: string, version: string): void {
    const versions = this.groups.get(key);
    if (versions === undefined) this.groups.set(key, [version]);
    else versions.push(version);
  }

  private group(key: string): InstalledVersions | null {
    const known = this.read.get(key);
    if (known !== undefined) return known;
    const versions = this.groups.get(key);
    const read = versions === undefined ? null : this.readGroup(versions);
    this.read.set(key, read);
    return read;
  }

  /** Kernels are installed in parallel. Of versions that cannot be compared the first applies. */
  private readGroup(versions: readonly string[]): InstalledVersions {
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
