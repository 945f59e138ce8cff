import type { FeedKind } from '@plimsoll/model';
import { distributionsOf, filesOf } from './feed-files.ts';
import { type Feed, feedOf, feedsOf } from './feeds.ts';

/** Properties of a feed that do not depend on stored data. */
export interface FeedProfile {
  /** Its name in messages. */
  readonly title: string;
  readonly kind: FeedKind;
  /** Whether it lists fixes, so that it can cover a release alone. */
  readonly listsFixes: boolean;
  /** Distributions whose hosts it covers; null: all. */
  readonly distributions: readonly string[] | null;
  /** Feeds that list fixes for the same distribution, downloadable ones first; empty for feeds of other kinds. */
  readonly alternatives: readonly string[];
  /** What it does not cover, in sentences. */
  readonly limits: readonly string[];
}

const advisoryFeeds = feedsOf('advisories');

/** The roles of feeds for releases; stored by the import and the scheduler. */
export const feedRoles = {
  /** The feeds that list fixes. A feed of unfixed vulnerabilities alone cannot cover a release. */
  fixFeeds: advisoryFeeds.filter(({ listsFixes }) => listsFixes !== false).map(({ id }) => id),
  /** The same, with each distribution that their records can be about. */
  fixSources: advisoryFeeds
    .filter(({ listsFixes }) => listsFixes !== false)
    .flatMap(({ id, distribution, rebuilds = [] }) =>
      [distribution, ...rebuilds].map((name) => ({ feedId: id, distribution: name })),
    ),
  /** The feeds whose records of CVEs take precedence over those of other feeds of their distribution. */
  leading: advisoryFeeds.filter(({ leads }) => leads === true).map(({ id }) => id) as readonly string[],
  /** Every feed that states unfixed vulnerabilities, with each of its distributions. */
  unfixedSources: advisoryFeeds
    .filter(({ statesUnfixed }) => statesUnfixed === true)
    .flatMap(({ id, distribution, rebuilds = [], silentFor = [] }) =>
      [distribution, ...rebuilds.filter((name) => !silentFor.includes(name))].map((name) => ({
        feedId: id,
        distribution: name,
      })),
    ),
} as const;

/** The profile of a feed; null: unknown feed. */
export function feedProfile(feedId: string): FeedProfile | null {
  const feed = feedOf(feedId);
  if (feed === null) return null;
  return {
    title: feed.title,
    kind: feed.kind,
    listsFixes: feedRoles.fixFeeds.includes(feedId),
    distributions: distributionsOf(feedId),
    alternatives: alternativesTo(feed),
    limits: limitsOf(feed),
  };
}

function alternativesTo(feed: Feed): readonly string[] {
  if (feed.kind !== 'advisories' || feed.listsFixes === false) return [];
  return advisoryFeeds
    .filter((other) => other.distribution === feed.distribution && other.listsFixes !== false)
    .map(({ id }) => id)
    .filter((id) => id !== feed.id)
    .sort((one, other) => Number(filesOf(other).length > 0) - Number(filesOf(one).length > 0));
}

function limitsOf(feed: Feed): readonly string[] {
  const own = feed.limits ?? [];
  if (feed.kind !== 'advisories' || feed.statesUnfixed === true) return own;
  const sources = feedRoles.unfixedSources
    .filter(({ distribution }) => distribution === feed.distribution)
    .map((source) => source.feedId);
  const where =
    sources.length === 0
      ? 'no feed here has them'
      : `${sources.join(' or ')} has them, once it is synced or imported`;
  return [`It lists fixes only. Vulnerabilities without a fix are missing: ${where}.`, ...own];
}
