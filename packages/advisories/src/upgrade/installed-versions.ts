import type { InstalledPackage, Release } from '@plimsoll/model';
import { isSameArchitecture } from '../matching/same-architecture.ts';
import { changeOf } from './offer-change.ts';

/** Versions of one name and architecture that are compared one by one; real hosts have fewer. */
const maxCompared = 50;

/** The installed versions of a package for the architecture of an offer. */
export interface InstalledVersions {
  readonly newest: string;
  has(version: string): boolean;
  /** Whether a version is installed, possibly in another spelling. */
  includesSame(version: string): boolean;
}

/** Looks up installed packages. Construction and lookups take linear time in total. */
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
