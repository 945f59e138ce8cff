import {
  classifyPackage,
  distributionOf,
  feedForRelease,
  feedsOf,
  releaseOf,
  rulesVersion,
  verdictOf,
} from '@plimsoll/advisories';
import type { PackageVersionIdentity, Platform, Release, Verdict } from '@plimsoll/model';

/** The result of classifying a package version. */
export interface ClassifiedPackageVersion {
  /** Null if no advisory can be about it. */
  readonly matchName: string | null;
  readonly matchKey: Uint8Array | null;
  readonly verdict: Verdict;
  /** The version of the rules that classified it. */
  readonly rules: number;
}

/** A release, the feed whose advisories apply to it, and the end of its support. The last two are null if unknown. */
export interface ReleaseFacts {
  readonly name: Release;
  readonly feedId: string | null;
  readonly endsAt: Date | null;
  /** The version of the rules that produced these facts. */
  readonly rules: number;
}

/**
 * The release that a platform runs, with its feed and the end of its support. A release of no known distribution gets
 * the name from os-release, and null for both.
 */
export function releaseFactsOf(platform: Platform): ReleaseFacts {
  const verdict = releaseOf(platform);
  if (verdict.kind === 'unsupported') {
    const name = `${platform.osId}:${platform.osVersionId === '' ? 'rolling' : platform.osVersionId}`;
    return releaseFacts(name as Release); // No distribution makes this name.
  }
  return releaseFacts(verdict.release);
}

/** The facts of a release under the current rules. */
export function releaseFacts(name: Release): ReleaseFacts {
  return {
    name,
    feedId: feedForRelease(name)?.id ?? null,
    endsAt: distributionOf(name)?.lifecycleOf(name)?.endsAt ?? null,
    rules: rulesVersion,
  };
}

/** The ids of all feeds that can be assigned to a release. */
export function feedsOfRelease(release: Release): readonly string[] {
  const distribution = distributionOf(release)?.id;
  return feedsOf('advisories')
    .filter((feed) => feed.distribution === distribution)
    .map(({ id }) => id);
}

/** Classifies a package version under the current rules, for storage. */
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
