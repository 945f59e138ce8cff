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

/** What classifying a package version found. */
export interface ClassifiedPackageVersion {
  /** Null where no advisory can speak about it. */
  readonly matchName: string | null;
  readonly matchKey: Uint8Array | null;
  readonly verdict: Verdict;
  /** Version of the rules that found it. */
  readonly rules: number;
}

/** A release as it is first met, with the feed that speaks for it and the end of its support, where known. */
export interface ReleaseFacts {
  readonly name: Release;
  readonly feedId: string | null;
  readonly endsAt: Date | null;
  /** Version of the rules that say so. */
  readonly rules: number;
}

/**
 * The release that a platform runs, with the feed that speaks for it and the end of its support. A release that no
 * distribution owns gets the name that os-release gives it, and has neither.
 */
export function releaseFactsOf(platform: Platform): ReleaseFacts {
  const verdict = releaseOf(platform);
  if (verdict.kind === 'unsupported') {
    const name = `${platform.osId}:${platform.osVersionId === '' ? 'rolling' : platform.osVersionId}`;
    return releaseFacts(name as Release); // No distribution makes this name.
  }
  return releaseFacts(verdict.release);
}

/** What today's rules say of a release. */
export function releaseFacts(name: Release): ReleaseFacts {
  return {
    name,
    feedId: feedForRelease(name)?.id ?? null,
    endsAt: distributionOf(name)?.lifecycleOf(name)?.endsAt ?? null,
    rules: rulesVersion,
  };
}

/** The ids of all feeds that can speak for a release. */
export function feedsOfRelease(release: Release): readonly string[] {
  const distribution = distributionOf(release)?.id;
  return feedsOf('advisories')
    .filter((feed) => feed.distribution === distribution)
    .map(({ id }) => id);
}

/** Classifies a package version by today's rules, for storing. */
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
