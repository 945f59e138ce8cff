import type { Platform, Release, Upgrade } from '@plimsoll/model';
import type {
  CandidateSource,
  Classification,
  Distribution,
  PackageSubject,
  ReleaseVerdict,
} from './distribution.ts';
import { debian } from './distributions/debian/debian.ts';
import { debianOsvFeed } from './distributions/debian/osv-feed.ts';
import type { FeedDefinition } from './feed.ts';

/** Every distribution we can judge, one line each. */
export const distributions: readonly Distribution[] = [debian];

/** Every feed we can read, one line each. */
export const feeds: readonly FeedDefinition[] = [debianOsvFeed];

/** The release a platform runs, by the first distribution that claims it. */
export function releaseOf(platform: Platform): ReleaseVerdict {
  let verdict: ReleaseVerdict = { kind: 'unsupported', reason: 'other_distribution' };
  for (const distribution of distributions) {
    const claimed = distribution.releaseOf(platform);
    if (claimed.kind === 'release') return claimed;
    if (claimed.reason !== 'other_distribution') verdict = claimed;
  }
  return verdict;
}

/** The distribution of a release; null for one that none of ours owns. */
export function distributionOf(release: Release): Distribution | null {
  return distributions.find((distribution) => distribution.owns(release)) ?? null;
}

/** The feed that speaks for a release; null where there is none. */
export function feedForRelease(release: Release): FeedDefinition | null {
  const distribution = distributionOf(release);
  return feeds.find((feed) => feed.distribution === distribution?.id) ?? null;
}

/** The feed of an OSV ecosystem, with or without a release (`Debian`, `Debian:12`); null where there is none. */
export function feedForOsvEcosystem(ecosystem: string): FeedDefinition | null {
  const name = ecosystem.split(':', 1)[0];
  return feeds.find((feed) => feed.format === 'osv' && feed.ecosystem === name) ?? null;
}

/** What can be said of one package version on a host of a release; all is unknown on a release that nobody owns. */
export function classifyPackage(subject: PackageSubject, release: Release): Classification {
  const distribution = distributionOf(release);
  if (distribution !== null) return distribution.classify(subject, release);
  return { kind: 'unknown', reason: 'unsupported_release', detail: release, kernel: null };
}

/** What an update offered to a host of a release is compared by; nothing on a release that nobody owns. */
export function classifyUpgrade(upgrade: Upgrade, release: Release): CandidateSource {
  const distribution = distributionOf(release);
  if (distribution !== null) return distribution.classifyUpgrade(upgrade, release);
  return { kind: 'unknown', reason: 'unsupported_release', detail: release, kernelFlavour: null };
}
