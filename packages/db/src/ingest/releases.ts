import { distributionOf, feedForRelease, feedsOf, releaseOf, rulesVersion } from '@plimsoll/advisories';
import type { Platform, Release } from '@plimsoll/model';

/** A release, the feed whose advisories apply to it, and the end of its support. The last two are null if unknown. */
export interface ReleaseFacts {
  readonly name: Release;
  readonly feedId: string | null;
  readonly endsAt: Date | null;
  /** The version of the rules that produced these facts. */
  readonly rules: number;
}

/** A release and its number. */
export interface InternedRelease extends ReleaseFacts {
  readonly id: number;
}

/** The version of a platform that is published daily, such as openSUSE Tumbleweed: its date. */
const dailyVersion = /^\d{8}$/;

/** The `ID` of a system that does not say what it is: os-release(5). */
const unknownSystem = 'linux';

/**
 * The release that a platform runs, with its feed and the end of its support. A release of no known distribution gets
 * the name from os-release, and null for both.
 */
export function releaseFactsOf(platform: Platform): ReleaseFacts {
  const verdict = releaseOf(platform);
  if (verdict.kind === 'unsupported') {
    const { osId, osVersionId } = platform;
    const unversioned = osId === unknownSystem ? 'unknown' : 'rolling';
    const version = osVersionId === '' || dailyVersion.test(osVersionId) ? unversioned : osVersionId;
    return releaseFacts(`${osId}:${version}` as Release); // No distribution makes this name.
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
