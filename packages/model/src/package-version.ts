import type { PackageVersionId, Release } from './ids.ts';
import type { Verdict } from './verdict.ts';

/** The fields that identify a distinct package version. */
export interface PackageVersionIdentity {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  /** apt origin or rpm vendor; empty if unknown. */
  readonly vendor: string;
  /** apt suite or archive; rpm: the line that the host's repositories follow; empty if unknown. */
  readonly suite: string;
  readonly module: string;
  /**
   * The `otherVersion` of a package whose installation did not end. deb: what is compared with advisories, empty if
   * it is not known; rpm: the version that will remain. Absent or null: the installation ended.
   */
  readonly unfinished?: string | null;
}

/** A distinct package version of a release, with its classification. */
export interface PackageVersion extends PackageVersionIdentity {
  readonly id: PackageVersionId;
  readonly release: Release;
  /** The name to look up advisories by; null if no advisory can be compared with it. */
  readonly matchName: string | null;
  /** Sort key of the compared version; null if it has none. */
  readonly matchKey: Uint8Array | null;
  readonly verdict: Verdict;
}
