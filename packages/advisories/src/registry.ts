import type { Platform, Release, Upgrade } from '@plimsoll/model';
import type {
  CandidateSource,
  Classification,
  Distribution,
  PackageSubject,
  ReleaseVerdict,
} from './distribution.ts';
import { almalinux } from './distributions/almalinux/almalinux.ts';
import { almalinuxFeeds } from './distributions/almalinux/feeds.ts';
import { amazon } from './distributions/amazon/amazon.ts';
import { amazonFeeds } from './distributions/amazon/feeds.ts';
import { centos } from './distributions/centos/centos.ts';
import { centosFeeds } from './distributions/centos/feeds.ts';
import { debian } from './distributions/debian/debian.ts';
import { debianOsvFeed } from './distributions/debian/osv-feed.ts';
import { fedora } from './distributions/fedora/fedora.ts';
import { fedoraFeeds } from './distributions/fedora/feeds.ts';
import { oracleFeeds } from './distributions/oracle/feeds.ts';
import { oracle } from './distributions/oracle/oracle.ts';
import { rhelFeeds } from './distributions/rhel/feeds.ts';
import { rhel } from './distributions/rhel/rhel.ts';
import { rockyFeeds } from './distributions/rocky/feeds.ts';
import { rocky } from './distributions/rocky/rocky.ts';
import { openSuseFeeds, suseFeeds } from './distributions/suse/feeds.ts';
import { openSuse, suse } from './distributions/suse/suse.ts';
import { ubuntuOsvFeed } from './distributions/ubuntu/osv-feed.ts';
import { ubuntu } from './distributions/ubuntu/ubuntu.ts';
import type { FeedDefinition } from './feed.ts';

/** Every distribution we can judge, one line each. */
export const distributions: readonly Distribution[] = [
  debian,
  ubuntu,
  almalinux,
  rocky,
  rhel,
  centos,
  oracle,
  amazon,
  fedora,
  suse,
  openSuse,
];

/** Every feed we can read, one line each. */
export const feeds: readonly FeedDefinition[] = [
  debianOsvFeed,
  ubuntuOsvFeed,
  ...almalinuxFeeds,
  ...rockyFeeds,
  ...rhelFeeds,
  ...centosFeeds,
  ...oracleFeeds,
  ...amazonFeeds,
  ...fedoraFeeds,
  ...suseFeeds,
  ...openSuseFeeds,
];

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

/** The feed that speaks for a release, the first of its distribution's; null where there is none. */
export function feedForRelease(release: Release): FeedDefinition | null {
  const distribution = distributionOf(release);
  return feeds.find((feed) => feed.distribution === distribution?.id) ?? null;
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
