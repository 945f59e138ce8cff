import type { AdvisoryKey, Gap, PackageVersion, PackageVersionId, Release, Statement } from '@plimsoll/model';
import type { Assessment } from '../host/assess-host.ts';

/** Asks why an advisory is a finding on a package of a host, or is not. */
export interface ExplainQuestion {
  /** As it was asked for: an id, an alias or a CVE. */
  readonly advisory: string;
  /** A binary package, or failing that a source package. */
  readonly packageName: string;
  /** Null where nothing of the host was matched yet. */
  readonly host: ExplainedHost | null;
  /** The host's, as `host_overview` has them. */
  readonly gaps: readonly Gap[];
  /** The advisories that feeds have under that name. */
  readonly advisories: readonly NamedAdvisory[];
  /** The statements about the packages that `packagesAsked` returns. */
  readonly stated: ReadonlyMap<PackageVersionId, StatedVersion>;
}

/** What an explanation needs of a host. */
export interface ExplainedHost extends HostPackages<HostPackage> {
  readonly release: Release;
  readonly feed: SpeakingFeed | null;
  readonly assessment: Assessment;
}

/** The feed that speaks for a release. */
export interface SpeakingFeed {
  readonly id: string;
  /** How new its data is known to be; null: it was never read. */
  readonly updatedAt: Date | null;
}

/** The packages of a host. */
export interface HostPackages<P extends HostPackage> {
  readonly packages: readonly P[];
  /** The package version that really runs as the kernel, where it is not what is installed. */
  readonly runningKernel: P | null;
}

/** A package of a host. */
export interface HostPackage {
  readonly version: PackageVersion;
}

/** An advisory that was asked for by its id, an alias or a CVE. */
export interface NamedAdvisory {
  readonly key: AdvisoryKey;
  readonly feedId: string;
  readonly externalId: string;
  readonly kind: 'vulnerability' | 'erratum';
  readonly title: string;
  readonly url: string;
  /** Sorted. */
  readonly cves: readonly string[];
  /** When it was published; where the feed does not say, when it was last modified. */
  readonly publishedAt: Date | null;
  readonly withdrawnAt: Date | null;
  /** The packages it names, by release; `ofSource`: names a source rpm for all that is built from it. */
  readonly packages: readonly {
    readonly release: Release;
    readonly name: string;
    readonly ofSource: boolean;
  }[];
}

/** All statements about a package version or its source, and the CVEs that vulnerability records of its release are about. */
export interface StatedVersion {
  readonly statements: readonly Statement[];
  readonly judgedCves: ReadonlySet<string>;
}
