import type { PackageVersionId, Release } from './ids.ts';
import type { Verdict } from './verdict.ts';

/** What makes one package version another than the next. */
export interface PackageVersionIdentity {
  readonly name: string;
  readonly architecture: string;
  readonly version: string;
  readonly sourceName: string;
  readonly sourceVersion: string;
  /** apt origin or rpm vendor; empty if unknown. */
  readonly vendor: string;
  /** apt suite or archive, on rpm the line that its host's repositories follow; empty if unknown. */
  readonly suite: string;
  readonly module: string;
}

/** A distinct package version of a release, with what classifying it found. */
export interface PackageVersion extends PackageVersionIdentity {
  readonly id: PackageVersionId;
  readonly release: Release;
  /** What advisories are looked up by; null where no advisory can be compared with it. */
  readonly matchName: string | null;
  /** Sort key of the compared version; null where it has none. */
  readonly matchKey: Uint8Array | null;
  readonly verdict: Verdict;
}
