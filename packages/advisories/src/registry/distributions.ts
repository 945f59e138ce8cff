import type { Lifecycle, Platform, Release, Snapshot, Subscription, Upgrade, Verdict } from '@plimsoll/model';
import { baseOf } from '../derivatives.ts';
import type {
  CandidateSource,
  Classification,
  Distribution,
  HostSubscription,
  PackageSubject,
  ReleaseVerdict,
} from '../distribution.ts';
import { almalinux } from '../distributions/almalinux/almalinux.ts';
import { amazon } from '../distributions/amazon/amazon.ts';
import { centos } from '../distributions/centos/centos.ts';
import { debian } from '../distributions/debian/debian.ts';
import { fedora } from '../distributions/fedora/fedora.ts';
import { oracle } from '../distributions/oracle/oracle.ts';
import { rhel } from '../distributions/rhel/rhel.ts';
import { rocky } from '../distributions/rocky/rocky.ts';
import { openSuse, suse } from '../distributions/suse/suse.ts';
import { ubuntu } from '../distributions/ubuntu/ubuntu.ts';
import type { AdvisoryFeed } from '../feeds/advisories/advisory-feed.ts';
import { otherBuild, unfinishedVerdict } from '../unfinished.ts';
import { advisoryFeeds } from './advisory-feeds.ts';

/** Every supported distribution, one line each. */
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

/**
 * The release of a platform, from the first distribution that recognises it; for a derivative the release whose packages
 * it shares (see baseOf).
 */
export function releaseOf(platform: Platform): ReleaseVerdict {
  const own = claimedRelease(platform);
  if (own.kind === 'release' || own.reason !== 'other_distribution') return own;
  const base = baseOf(platform);
  return base === null ? own : claimedRelease(base);
}

function claimedRelease(platform: Platform): ReleaseVerdict {
  let verdict: ReleaseVerdict = { kind: 'unsupported', reason: 'other_distribution' };
  for (const distribution of distributions) {
    const claimed = distribution.releaseOf(platform);
    if (claimed.kind === 'release') return claimed;
    if (claimed.reason !== 'other_distribution') verdict = claimed;
  }
  return verdict;
}

/** The distribution of a release; null if none is supported. */
export function distributionOf(release: Release): Distribution | null {
  return distributions.find((distribution) => distribution.owns(release)) ?? null;
}

/** The default feed of a release, the first of its distribution; null if there is none. */
export function feedForRelease(release: Release): AdvisoryFeed | null {
  const distribution = distributionOf(release);
  return advisoryFeeds.find((feed) => feed.distribution === distribution?.id) ?? null;
}

/** Classifies one package version on a host of a release; unknown if no distribution has the release. */
export function classifyPackage(subject: PackageSubject, release: Release): Classification {
  const distribution = distributionOf(release);
  if (distribution !== null) {
    const classification = distribution.classify(subject, release);
    if (subject.unfinished == null || classification.kind !== 'comparable') return classification;
    // Of a kernel the one that runs counts, whatever is installed.
    if (classification.kernel !== null) return classification;
    const other = otherBuild(subject, subject.unfinished);
    const judged = other === null ? null : distribution.classify(other, release);
    return unfinishedVerdict(classification, judged, distribution.scheme);
  }
  return { kind: 'unknown', reason: 'unsupported_release', detail: release, kernel: null };
}

/**
 * Classifies a kernel companion as the package it would be by itself, to list it beside the kernel; unknown if no
 * distribution has the release.
 */
export function classifyCompanion(subject: PackageSubject, release: Release): Classification {
  const distribution = distributionOf(release);
  if (distribution !== null) return distribution.classifyCompanion(subject, release);
  return { kind: 'unknown', reason: 'unsupported_release', detail: release, kernel: null };
}

/** The part of a classification that is stored as JSON; the key is stored separately. */
export function verdictOf(classification: Classification): Verdict {
  if (classification.kind !== 'comparable') return classification;
  const { key: _stored, ...verdict } = classification;
  return verdict;
}

/**
 * Returns what an update offered to a host of a release is compared by; nothing if no distribution has the release.
 */
export function classifyUpgrade(upgrade: Upgrade, release: Release): CandidateSource {
  const distribution = distributionOf(release);
  if (distribution !== null) return distribution.classifyUpgrade(upgrade, release);
  return { kind: 'unknown', reason: 'unsupported_release', detail: release, kernelFlavour: null };
}

/**
 * A host's subscription with the services of extended support that its enabled repositories show: a host that gets their
 * packages has the service.
 */
export function shownSubscription({
  platform,
  repositories,
  subscription,
}: Pick<Snapshot, 'platform' | 'repositories' | 'subscription'>): Subscription | null {
  const verdict = releaseOf(platform);
  const distribution = verdict.kind === 'release' ? distributionOf(verdict.release) : null;
  const shown = distribution?.servicesIn?.(repositories) ?? [];
  if (shown.length === 0) return subscription;
  const { kind = 'repositories', services = [] } = subscription ?? {};
  return { kind, attached: true, services: [...new Set([...services, ...shown])] };
}

/** When support of a platform's edition of its release ends; null if with the release, or unknown. */
export function editionEndOf(platform: Platform): Date | null {
  const verdict = releaseOf(platform);
  const distribution = verdict.kind === 'release' ? distributionOf(verdict.release) : null;
  return distribution?.editionEndOf?.(platform) ?? null;
}

/**
 * The end of all support of a host's release, including what its subscription adds; null if unknown. A disabled
 * service adds nothing, nor does one that is not known. `published` is a feed's lifecycle of the release; it takes precedence over the built-in table;
 * null without such a feed.
 */
export function supportEndOf(
  release: Release,
  subscription: HostSubscription,
  published: Lifecycle | null = null,
): Date | null {
  const distribution = distributionOf(release);
  const lifecycle = published ?? distribution?.lifecycleOf(release) ?? null;
  if (distribution === null || lifecycle === null) return null;
  const ends = (lifecycle.extended ?? [])
    .filter(({ service }) => distribution.hasService(subscription, service) === 'yes')
    .map(({ endsAt }) => endsAt);
  return [lifecycle.endsAt, ...ends].reduce((a, b) => (a >= b ? a : b));
}
