import type { PackageVersionIdentity } from '@plimsoll/model';

/** The source package of a labelled package; labels do not state it. */
export interface RecordedSource {
  readonly name: string;
  /** The source version that belongs to the labelled version. */
  readonly version: string;
}

/** A binary package with its source, from recorded data. */
export interface RecordedBuild
  extends Pick<PackageVersionIdentity, 'name' | 'version' | 'sourceName' | 'sourceVersion'> {
  readonly release: string;
}

/** The source packages in the recorded data, by binary package name. */
export class RecordedPackages {
  private readonly byName = new Map<string, RecordedBuild[]>();

  constructor(builds: Iterable<RecordedBuild>) {
    for (const build of builds) {
      const known = this.byName.get(build.name);
      if (known === undefined) this.byName.set(build.name, [build]);
      else known.push(build);
    }
  }

  /** Whether the data has a package with this name. */
  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** Whether the package has a version without a revision, as Debian's native packages do. */
  isNative(name: string): boolean {
    return (this.byName.get(name) ?? []).some(({ version }) => !version.includes('-'));
  }

  /**
   * The source of a package version: from the same release, else from the same major version (`rhel:8`,
   * `almalinux:8`), else from all hosts. Null if no host has the package, if the hosts disagree on its
   * source, or if its version does not follow the source's. Data that does not state a source repeats the
   * package's own name: a different name takes precedence.
   */
  sourceOf(name: string, version: string, release: string): RecordedSource | null {
    const all = this.byName.get(name) ?? [];
    const number = release.slice(release.indexOf(':'));
    const nearest = [
      all.filter((each) => each.release === release),
      all.filter((each) => each.release.endsWith(number)),
      all,
    ].find((list) => list.length > 0);
    const entries = nearest ?? [];
    const stated = entries.filter(({ sourceName }) => sourceName !== name);
    const telling = stated.length > 0 ? stated : entries;
    const [entry] = telling;
    if (entry === undefined || telling.some(({ sourceName }) => sourceName !== entry.sourceName)) return null;
    const own = sourceVersionLike(entry, version);
    return own === null ? null : { name: entry.sourceName, version: own };
  }
}

/**
 * The source version for `version`, if the recorded version differs from its source's at most by epoch and
 * rebuild.
 */
function sourceVersionLike(recorded: RecordedBuild, version: string): string | null {
  const bare = (text: string) => text.replace(/^\d+:/, '').replace(/\+b\d+$/, '');
  if (bare(recorded.version) !== bare(recorded.sourceVersion)) return null;
  const epoch = /^\d+:/.exec(recorded.sourceVersion)?.[0] ?? '';
  return `${epoch}${bare(version)}`;
}
