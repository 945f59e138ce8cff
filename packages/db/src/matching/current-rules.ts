import type { Platform, Release } from '@plimsoll/model';
import type { FeedRoles } from '../feeds/end-import.ts';
import type {
  ClassifiedPackageVersion,
  PackageVersionIdentity,
  ReleaseFacts,
} from '../interning/interning.ts';

/** The rules as they are now, to be applied to what earlier ones stored. Pure; see @plimsoll/posture. */
export interface CurrentRules {
  readonly version: number;
  classify(identity: PackageVersionIdentity, release: Release): ClassifiedPackageVersion;
  releaseFacts(release: Release): ReleaseFacts;
  /** Whether a host of a platform runs a release that a distribution of ours owns. */
  isKnown(platform: Platform): boolean;
  readonly feedRoles: FeedRoles;
  /** Every feed that can speak for a release. */
  feedsOf(release: Release): readonly string[];
}

/** A release of which something was judged by earlier rules. */
export interface OutdatedRelease {
  readonly id: number;
  readonly name: Release;
  /** Null: nobody could say anything of it. */
  readonly feedId: string | null;
}
