import type { FeedKind } from '@plimsoll/model';
import { distributionsOf, filesOf } from './feed-files.ts';
import { type Feed, feedOf, feedsOf } from './registry.ts';

/** Properties of a feed that do not depend on stored data. */
export interface FeedProfile {
  /** Its name in messages. */
  readonly title: string;
  readonly kind: FeedKind;
  /** Whether it lists fixes, so that it can speak for a release alone. */
  readonly listsFixes: boolean;
  /** Distributions whose hosts it says something of; null: all. */
  readonly distributions: readonly string[] | null;
  /** Feeds that list fixes for the same distribution, those that can be fetched first; none for a feed of another kind. */
  readonly alternatives: readonly string[];
  /** What it cannot know, in sentences. */
  readonly limits: readonly string[];
}

const advisoryFeeds = feedsOf('advisories');

/** What feeds can do for releases; the import and the scheduler store it. */
export const feedRoles = {
  /** The feeds that list fixes. What lists the unfixed alone cannot speak for a release. */
  fixFeeds: advisoryFeeds.filter(({ listsFixes }) => listsFixes !== false).map(({ id }) => id),
  /** Every feed that states which vulnerabilities have no fix, with each distribution that it does so for. */
  unfixedSources: advisoryFeeds
    .filter(({ statesUnfixed }) => statesUnfixed === true)
    .flatMap(({ id, distribution, rebuilds = [] }) =>
      [distribution, ...rebuilds].map((name) => ({ feedId: id, distribution: name })),
    ),
} as const;

/** The profile of a feed; null: there is no such feed. */
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
    sources.length === 0 ? 'no feed here has them' : `${sources.join(', ')} has them, once it is imported`;
  return [`It lists fixes only. Vulnerabilities without a fix are missing: ${where}.`, ...own];
}
