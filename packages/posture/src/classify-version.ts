import {
  classifyPackage,
  distributionOf,
  feedForRelease,
  feedRoles,
  feeds,
  releaseOf,
  rulesVersion,
  verdictOf,
} from '@plimsoll/advisories';
import type {
  ClassifiedPackageVersion,
  CurrentRules,
  PackageVersionIdentity,
  ReleaseFacts,
} from '@plimsoll/db';
import type { Platform, Release } from '@plimsoll/model';

/**
 * The release a platform runs, with the feed that speaks for it and the end of its support. One that is none of ours
 * is named as its os-release names it, and has neither.
 */
export function releaseFactsOf(platform: Platform): ReleaseFacts {
  const verdict = releaseOf(platform);
  if (verdict.kind === 'unsupported') {
    const name = `${platform.osId}:${platform.osVersionId === '' ? 'rolling' : platform.osVersionId}`;
    return releaseFacts(name as Release); // The one release name no distribution makes.
  }
  return releaseFacts(verdict.release);
}

function releaseFacts(name: Release): ReleaseFacts {
  return {
    name,
    feedId: feedForRelease(name)?.id ?? null,
    endsAt: distributionOf(name)?.lifecycleOf(name)?.endsAt ?? null,
    rules: rulesVersion,
  };
}

/** What the rules of this version say of what earlier ones stored. */
export const currentRules: CurrentRules = {
  version: rulesVersion,
  classify: classifyVersion,
  releaseFacts,
  isKnown: (platform) => releaseOf(platform).kind === 'release',
  feedRoles,
  feedsOf(release) {
    const distribution = distributionOf(release)?.id;
    return feeds.filter((feed) => feed.distribution === distribution).map(({ id }) => id);
  },
};

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
    rules: rulesVersion,
  };
}
