import { cveFeeds } from './cve-feeds/registry.ts';
import { distributionsOf, feedIds, filesOf } from './feed-files.ts';
import { lifecycleFeeds } from './lifecycle-feeds/registry.ts';
import { feeds } from './registry.ts';
import { repositoryFeeds } from './repository-feeds/registry.ts';

/** What a feed is, whatever is stored of it. */
export interface FeedProfile {
  /** What people call it. */
  readonly title: string;
  /** Whether it is one of advisories, not of facts about vulnerabilities, repositories or lifecycles. */
  readonly isOfAdvisories: boolean;
  /** Whether it lists fixes, so that it can speak for a release alone. */
  readonly listsFixes: boolean;
  /** Distributions whose hosts it says something of; null: all. */
  readonly distributions: readonly string[] | null;
  /** Feeds that list fixes for the same distribution, those that can be fetched first; none for a feed of another kind. */
  readonly alternatives: readonly string[];
  /** What it cannot know, in sentences. */
  readonly limits: readonly string[];
}

/** What feeds can do for releases; the import and the scheduler store it. */
export const feedRoles = {
  /** The feeds that list fixes. What lists the unfixed alone cannot speak for a release. */
  fixFeeds: feeds.filter(({ listsFixes }) => listsFixes !== false).map(({ id }) => id),
  /** Every feed that states which vulnerabilities have no fix, with each distribution that it does so for. */
  unfixedSources: feeds
    .filter(({ statesUnfixed }) => statesUnfixed === true)
    .flatMap(({ id, distribution, rebuilds = [] }) =>
      [distribution, ...rebuilds].map((name) => ({ feedId: id, distribution: name })),
    ),
} as const;

/** What a feed is; null for one that does not exist. */
export function feedProfile(feedId: string): FeedProfile | null {
  if (!feedIds.includes(feedId)) return null;
  const all = [...feeds, ...cveFeeds, ...repositoryFeeds, ...lifecycleFeeds];
  const title = all.find(({ id }) => id === feedId)?.title ?? feedId;
  return {
    title,
    isOfAdvisories: feeds.some(({ id }) => id === feedId),
    listsFixes: feedRoles.fixFeeds.includes(feedId),
    distributions: distributionsOf(feedId),
    alternatives: alternativesOf(feedId),
    limits: limitsOf(feedId),
  };
}

function alternativesOf(feedId: string): readonly string[] {
  const feed = feeds.find(({ id }) => id === feedId);
  if (feed === undefined || feed.listsFixes === false) return [];
  return feeds
    .filter((other) => other.distribution === feed.distribution && other.listsFixes !== false)
    .map(({ id }) => id)
    .filter((id) => id !== feedId)
    .sort((one, other) => Number(filesOf(other).length > 0) - Number(filesOf(one).length > 0));
}

function limitsOf(feedId: string): readonly string[] {
  const feed = feeds.find(({ id }) => id === feedId);
  if (feed === undefined) return [];
  const own = feed.limits ?? [];
  if (feed.statesUnfixed === true) return own;
  const sources = feedRoles.unfixedSources
    .filter(({ distribution }) => distribution === feed.distribution)
    .map((source) => source.feedId);
  const where =
    sources.length === 0 ? 'no feed here has them' : `${sources.join(', ')} has them, once it is imported`;
  return [`It lists fixes only. Vulnerabilities without a fix are missing: ${where}.`, ...own];
}
