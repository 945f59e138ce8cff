import type { PackageVersionIdentity } from '@plimsoll/model';

/** The source package of a labelled package; labels do not name it. */
export interface RecordedSource {
  readonly name: string;
  /** The version that goes with the labelled one. */
  readonly version: string;
}

/** A binary package as some data has it, with its source. */
export interface RecordedBuild
  extends Pick<PackageVersionIdentity, 'name' | 'version' | 'sourceName' | 'sourceVersion'> {
  readonly release: string;
}

/** The source packages that some data has by the names of binary packages. */
export class RecordedPackages {
  private readonly byName = new Map<string, RecordedBuild[]>();

  constructor(builds: Iterable<RecordedBuild>) {
    for (const build of builds) {
      const known = this.byName.get(build.name);
      if (known === undefined) this.byName.set(build.name, [build]);
      else known.push(build);
    }
  }

  /** Whether there is a package of that name. */
  has(name: string): boolean {
    return this.byName.has(name);
  }

  /** Whether the package has a version without a revision: Debian's own packages have none. */
  isNative(name: string): boolean {
    return (this.byName.get(name) ?? []).some(({ version }) => !version.includes('-'));
  }

  /**
   * The source of a package version: that of the same release, else of the same number (`rhel:8`, `almalinux:8`),
   * else of all hosts. Null: no host has the package, they disagree on its source, or its version does not follow the
   * source's. A list that does not state the source has the package's own name: another name wins.
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

/** The source version of `version`, if the recorded one differs from its source's at most by epoch and rebuild. */
function sourceVersionLike(recorded: RecordedBuild, version: string): string | null {
  const bare = (text: string) => text.replace(/^\d+:/, '').replace(/\+b\d+$/, '');
  if (bare(recorded.version) !== bare(recorded.sourceVersion)) return null;
  const epoch = /^\d+:/.exec(recorded.sourceVersion)?.[0] ?? '';
  return `${epoch}${bare(version)}`;
}
