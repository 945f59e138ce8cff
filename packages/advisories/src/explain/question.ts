import type { AdvisoryKey, Gap, PackageVersion, PackageVersionId, Release, Statement } from '@plimsoll/model';
import type { Assessment } from '../host/assess-host.ts';

/** Asks why an advisory is a finding on a package of a host, or is not. */
export interface ExplainQuestion {
  /** The request: an id, an alias or a CVE. */
  readonly advisory: string;
  /** A binary package, or else a source package. */
  readonly packageName: string;
  /** Null if the host has not been matched yet. */
  readonly host: ExplainedHost | null;
  /** The host's gaps, as in `host_state`. */
  readonly gaps: readonly Gap[];
  /** The feeds' advisories with that name. */
  readonly advisories: readonly NamedAdvisory[];
  /** The statements about the packages that `packagesAsked` returns. */
  readonly stated: ReadonlyMap<PackageVersionId, StatedVersion>;
}

/** The facts of a host that an explanation needs. */
export interface ExplainedHost extends HostPackages<HostPackage> {
  readonly release: Release;
  readonly feed: SpeakingFeed | null;
  readonly assessment: Assessment;
}

/** The feed that covers a release. */
export interface SpeakingFeed {
  readonly id: string;
  /** The age of its data; null: never read. */
  readonly updatedAt: Date | null;
}

/** The packages of a host. */
export interface HostPackages<P extends HostPackage> {
  readonly packages: readonly P[];
  /** The package version of the running kernel, if it is not installed. */
  readonly runningKernel: P | null;
}

/** A package of a host. */
export interface HostPackage {
  readonly version: PackageVersion;
}

/** An advisory requested by its id, an alias or a CVE. */
export interface NamedAdvisory {
  readonly key: AdvisoryKey;
  readonly feedId: string;
  readonly externalId: string;
  readonly kind: 'vulnerability' | 'erratum';
  readonly title: string;
  readonly url: string;
  /** Sorted. */
  readonly cves: readonly string[];
  /** Publication time; if the feed has none, the last modification. */
  readonly publishedAt: Date | null;
  readonly withdrawnAt: Date | null;
  /**
   * The packages it names, by release; `ofSource`: the name is a source rpm and covers everything built from it.
   * `line`: see Builds.
   */
  readonly packages: readonly {
    readonly release: Release;
    readonly name: string;
    readonly ofSource: boolean;
    readonly line: string | null;
  }[];
}

/** All statements about a package version or its source, and the CVEs with a vulnerability record for its release. */
export interface StatedVersion {
  readonly statements: readonly Statement[];
  readonly judgedCves: ReadonlySet<string>;
}
