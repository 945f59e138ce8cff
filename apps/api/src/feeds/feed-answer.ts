import { distributionOf, feedProfile, filesOf, type OwnFiles } from '@plimsoll/advisories';
import type { Feed } from '@plimsoll/contract';
import type { FeedRow, HostsOfRelease } from '@plimsoll/db';
import { feedFreshness } from '@plimsoll/model';
import type { ApiContext } from '../context.ts';
import { waysOutNow } from './ways-out-now.ts';

/** Whether a feed has an address, its own or one that the operator gave. */
export function isFetched(feedId: string, ownFiles: OwnFiles): boolean {
  return filesOf(feedId, ownFiles).length > 0;
}

/** Feeds as the API shows them. */
export async function feedAnswers(
  feeds: readonly FeedRow[],
  { stores, settings, clock }: Pick<ApiContext, 'stores' | 'settings' | 'clock'>,
): Promise<Feed[]> {
  const fleet = await stores.feeds.hostsByRelease();
  return feeds.map((feed) =>
    feedAnswer(feed, { now: clock(), isFetched: isFetched(feed.id, settings.ownFeedFiles), fleet }),
  );
}

/** What is known beside a feed's row. */
interface Around {
  readonly now: Date;
  readonly isFetched: boolean;
  readonly fleet: readonly HostsOfRelease[];
}

function feedAnswer(feed: FeedRow, { now, isFetched: fetched, fleet }: Around): Feed {
  const profile = feedProfile(feed.id);
  const freshness = feedFreshness(feed, now);
  const neededByHosts = hostsThatNeed(feed.id, fleet);
  const alternatives = profile?.alternatives ?? [];
  return {
    id: feed.id,
    title: profile?.title ?? feed.id,
    state: feed.state,
    freshness,
    stale_after_seconds: feed.staleAfterSeconds,
    needed_by_hosts: neededByHosts,
    records: feed.records,
    updated_at: feed.updatedAt?.toISOString() ?? null,
    last_sync_at: feed.lastSyncAt?.toISOString() ?? null,
    next_sync_at: feed.nextSyncAt?.toISOString() ?? null,
    last_error: feed.lastError,
    last_error_cause: feed.lastErrorCause,
    consecutive_failures: feed.consecutiveFailures,
    ways_out: waysOutNow({ feed, freshness, neededByHosts, isFetched: fetched, alternatives }),
    import_only: !fetched,
    alternatives: [...alternatives],
    limits: [...(profile?.limits ?? [])],
  };
}

/** Approved hosts that a feed speaks for; of one that speaks for no release alone those that it says something of. */
export function hostsThatNeed(feedId: string, fleet: readonly HostsOfRelease[]): number {
  const profile = feedProfile(feedId);
  if (profile === null) return 0;
  const isNeeded = ({ release, feedId: speaker }: HostsOfRelease): boolean => {
    if (profile.listsFixes && profile.isOfAdvisories) return speaker === feedId;
    const owner = distributionOf(release);
    return owner !== null && (profile.distributions === null || profile.distributions.includes(owner.id));
  };
  return fleet.filter(isNeeded).reduce((sum, { hosts }) => sum + hosts, 0);
}
