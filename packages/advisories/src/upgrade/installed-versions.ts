import type { InstalledPackage, Release } from '@plimsoll/model';
import { isSameArchitecture } from '../matching/same-architecture.ts';
import { changeOf } from './offer-change.ts';

/** Versions of one name and architecture that are compared one by one; nothing is installed in so many. */
const maxCompared = 50;

/** The versions of a package that are installed, for one architecture that an offer names. */
export interface InstalledVersions {
  readonly newest: string;
  has(version: string): boolean;
  /** Whether a version is installed, perhaps in another spelling. */
  includesSame(version: string): boolean;
}

/** Looks up what is installed of packages. Building it and every lookup take time linear in what they read once. */
export class InstalledIndex {
  private readonly groups = new Map<string, string[]>();
  private readonly read = new Map<string, InstalledVersions | null>();
  private readonly release: Release;

  constructor(packages: readonly InstalledPackage[], names: ReadonlySet<string>, release: Release) {
    this.release = release;
    for (const { name, architecture, version } of packages) {
      if (!names.has(name)) continue;
      this.add(`${name} ${architecture}`, version);
      this.add(`${name}\nany`, version);
      // What an offer of any architecture can replace: packages for all of them.
      if (isSameArchitecture('\n', architecture)) this.add(`${name}\nindependent`, version);
    }
  }

  /** What an offer replaces: versions of its own architecture, else of one that it can replace; null where none is. */
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

  /** Kernels are installed side by side. Of versions that cannot be compared the first counts. */
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
