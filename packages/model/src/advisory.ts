import type { Release } from './ids.ts';
import type { Severity } from './severity.ts';

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
export interface AffectedPackage {
  readonly release: Release;
  /** apt: the source package. rpm: the binary package. */
  readonly name: string;
  readonly severity: Severity;
  readonly fix: Fix;
}

/** Whether the vendor ships a fix. An unfixed one says why in the vendor's word, empty if it gives none. */
export type Fix =
  | { readonly kind: 'fixed'; readonly version: string }
  | { readonly kind: 'unfixed'; readonly reason: 'no_fix' | 'will_not_fix'; readonly detail: string };
