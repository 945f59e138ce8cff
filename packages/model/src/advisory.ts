import type { Release } from './ids.ts';
import type { Rating } from './severity.ts';

/**
 * One record of a feed: a vendor's statement about packages in releases. `externalId` is the vendor's id
 * (`DEBIAN-CVE-2024-6387`, `DSA-5724-1`); `cves` are the vulnerabilities it is about, sorted.
 */
export interface Advisory {
  readonly externalId: string;
  /** `vulnerability`: one vulnerability judged per release. `erratum`: a published update that ships fixes. */
  readonly kind: 'vulnerability' | 'erratum';
  readonly title: string;
  readonly url: string;
  readonly publishedAt: Date | null;
  readonly modifiedAt: Date | null;
  readonly withdrawnAt: Date | null;
  /** Other names of the same thing, without `externalId` and the CVEs; sorted. */
  readonly aliases: readonly string[];
  readonly cves: readonly string[];
  readonly cvss: CvssScore | null;
  readonly packages: readonly AffectedPackage[];
}

/** A CVSS base score (0.0 to 10.0) with the vector it was computed from. */
export interface CvssScore {
  readonly score: number;
  readonly vector: string;
}

/** What an advisory says of one package in one release. */
export interface AffectedPackage extends Rating {
  readonly release: Release;
  /** apt: the source package. rpm: the binary package, unless `names` says otherwise. */
  readonly name: string;
  /** Left out: `name` is what packages of the release are matched by. */
  readonly names?: SourceNaming;
  readonly fix: Fix;
  readonly builds: Builds;
}

/**
 * How a statement names a source rpm, to speak of every binary package built from it. `upstream_source`: the
 * distribution that the release is rebuilt from says so, and the release's own advisories go before it.
 */
export type SourceNaming = 'source' | 'upstream_source';

/** Which builds of a package a statement speaks of. Each field narrows it; `anyBuild` leaves all of them open. */
export interface Builds {
  /** rpm architectures, sorted; empty: all. */
  readonly architectures: readonly string[];
  /** A module's stream, `perl:5.32`; empty: only builds outside of modules; null: whichever. */
  readonly module: string | null;
  /**
   * Builds of a line with versions of its own, such as `el9_0` or `fips`; null: those whose line has no statement. Versions
   * of some lines, `fips` among them, compare with no others, and null is never about their builds.
   */
  readonly line: string | null;
}

/** Every build there is. */
export const anyBuild: Builds = { architectures: [], module: null, line: null };

/**
 * Whether the vendor ships a fix. `service` is the subscription service that it takes to get it (`esm-apps`); null:
 * everybody gets it. An unfixed one says why in the vendor's word, empty if it gives none.
 */
export type Fix =
  | { readonly kind: 'fixed'; readonly version: string; readonly service: string | null }
  | { readonly kind: 'unfixed'; readonly reason: UnfixedReason; readonly detail: string };

/** Why a vendor ships no fix: it has none yet, it will not make one, or it has not decided whether the package is affected. */
export type UnfixedReason = 'no_fix' | 'will_not_fix' | 'under_investigation';
