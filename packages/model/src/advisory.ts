import type { Release } from './ids.ts';
import type { Rating } from './severity.ts';

/**
 * One record of a feed: a vendor's statement about packages in releases. `externalId` is the vendor's id
 * (`DEBIAN-CVE-2024-6387`, `DSA-5724-1`). `cves` are the vulnerabilities it covers, sorted.
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
  /** Other ids of the same advisory, without `externalId` and the CVEs; sorted. */
  readonly aliases: readonly string[];
  readonly cves: readonly string[];
  readonly cvss: CvssScore | null;
  readonly packages: readonly AffectedPackage[];
  /** What the vendor advises without a fix. Absent: nothing. */
  readonly workarounds?: readonly Workaround[];
  /** The record has entries whose package cannot be read. What is stored about packages that it does not name is kept. */
  readonly isIncomplete?: true;
}

/** A vendor's text on how to be safe without a fix: to read, never a command to run. */
export interface Workaround {
  readonly text: string;
  /** The vendor's page; empty if none. */
  readonly url: string;
  /** The packages that it is about, sorted; empty: all. */
  readonly packages: readonly string[];
}

/** A CVSS base score (0.0 to 10.0) with the vector it was computed from. */
export interface CvssScore {
  readonly score: number;
  readonly vector: string;
}

/** What an advisory states about one package in one release. */
export interface AffectedPackage extends Rating {
  readonly release: Release;
  /** apt: the source package. rpm: the binary package, unless `names` says otherwise. */
  readonly name: string;
  /** Absent: `name` is the match name of the release's packages. */
  readonly names?: SourceNaming;
  readonly fix: Fix;
  readonly builds: Builds;
  /** Those of the advisory's CVEs that it is about in this release, sorted, at least one. Absent: all of them. */
  readonly cves?: readonly string[];
}

/**
 * How a statement names a source rpm; it then covers every binary package built from it. `upstream_source`: the
 * statement comes from the distribution that the release is rebuilt from; the release's own advisories take
 * precedence.
 */
export type SourceNaming = 'source' | 'upstream_source';

/** The builds of a package that a statement covers. Each field narrows them; `anyBuild` covers all. */
export interface Builds {
  /** rpm architectures, sorted; empty: all. */
  readonly architectures: readonly string[];
  /** A module stream, `perl:5.32`; empty: only builds outside modules; null: any. */
  readonly module: string | null;
  /**
   * A build line with its own versions, such as `el9_0` or `fips`; null: builds whose line has no statement of its
   * own. Versions of some lines (`fips` among them) compare only within the line; null never covers their builds.
   */
  readonly line: string | null;
}

/** Covers every build. */
export const anyBuild: Builds = { architectures: [], module: null, line: null };

/**
 * Whether the vendor ships a fix. `service`: the subscription service that delivers it (`esm-apps`); null: free for
 * all. An unfixed package has a reason; `detail` is the vendor's word, empty if it gives none.
 */
export type Fix =
  | { readonly kind: 'fixed'; readonly version: string; readonly service: string | null }
  | {
      readonly kind: 'unfixed';
      readonly reason: UnfixedReason;
      readonly detail: string;
      /** The version of a fix that is prepared and not published; absent if none is. Builds that have it are fixed. */
      readonly pending?: string;
      /**
       * The record states a fix whose version cannot be read. What is stored about the package is kept; without that, every
       * version counts as affected.
       */
      readonly isUnreadable?: true;
    };

/** Why a vendor ships no fix: none exists yet, none is planned, or the vendor is still investigating. */
export type UnfixedReason = 'no_fix' | 'will_not_fix' | 'under_investigation';
