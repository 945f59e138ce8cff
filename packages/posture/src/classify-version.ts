import { classifyPackage, distributionOf, feedForRelease, releaseOf, verdictOf } from '@plimsoll/advisories';
import type { ClassifiedPackageVersion, PackageVersionIdentity, ReleaseFacts } from '@plimsoll/db';
import type { Platform, Release } from '@plimsoll/model';

/**
 * The release a platform runs, with the feed that speaks for it and the end of its support. One that is none of ours
 * is named as its os-release names it, and has neither.
 */
export function releaseFactsOf(platform: Platform): ReleaseFacts {
  const verdict = releaseOf(platform);
  if (verdict.kind === 'unsupported') {
    const name = `${platform.osId}:${platform.osVersionId === '' ? 'rolling' : platform.osVersionId}`;
    return { name: name as Release, feedId: null, endsAt: null }; // The one release name no distribution makes.
  }
  return {
    name: verdict.release,
    feedId: feedForRelease(verdict.release)?.id ?? null,
    endsAt: distributionOf(verdict.release)?.lifecycleOf(verdict.release)?.endsAt ?? null,
  };
}

/** What is stored of a package version besides what identifies it. */
export function classifyVersion(
  identity: PackageVersionIdentity,
  release: Release,
): ClassifiedPackageVersion {
  const classification = classifyPackage({ ...identity, signingKey: '' }, release);
  const isComparable = classification.kind === 'comparable';
  return {
    matchName: isComparable ? classification.matchName : null,
    matchKey: isComparable ? classification.key : null,
    verdict: verdictOf(classification),
  };
}
