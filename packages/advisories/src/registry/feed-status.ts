import {
  type FeedFailureCause,
  type FeedFreshness,
  type FeedWayOut,
  feedFreshness,
  type Release,
  wayOutSentence,
  waysOutOf,
} from '@plimsoll/model';
import { distributionOf } from './distributions.ts';
import { filesOf } from './feed-files.ts';
import { type FeedProfile, feedProfile } from './feed-profile.ts';

/** The stored data of a feed that determines its status. */
export interface FeedFacts {
  readonly id: string;
  readonly updatedAt: Date | null;
  readonly staleAfterSeconds: number;
  /** Whether one file of the operator replaces its files. */
  readonly hasOwnFile: boolean;
  readonly lastErrorCause: FeedFailureCause | null;
  readonly nextSyncAt: Date | null;
  /** The releases with their own files, and when the feed's data of each was last known to be up to date. */
  readonly releases: readonly { readonly release: Release; readonly updatedAt: Date | null }[];
}

/** The approved hosts of one release, and the feed that covers it. */
export interface ReleaseHosts {
  readonly release: Release;
  readonly feedId: string | null;
  readonly hosts: number;
}

/** The state of a feed, as shown by the API, the metrics and the command line. */
export interface FeedStatus {
  readonly profile: FeedProfile | null;
  readonly freshness: FeedFreshness;
  /** Approved hosts that it covers; for feeds of other kinds, hosts of its distributions. */
  readonly neededByHosts: number;
  /** Whether it has an address, its own or the operator's. */
  readonly isFetched: boolean;
  /** The actions, in the order to try them; empty if the last sync succeeded and the data is current or not needed. */
  readonly waysOut: readonly { readonly code: FeedWayOut; readonly text: string }[];
}

/** Whether a feed has an address, its own or the operator's. */
export function isFetched({ id, hasOwnFile }: Pick<FeedFacts, 'id' | 'hasOwnFile'>): boolean {
  return hasOwnFile || filesOf(id).length > 0;
}

/** The status of a feed at `now`. */
export function feedStatus(
  feed: FeedFacts,
  { now, fleet }: { readonly now: Date; readonly fleet: readonly ReleaseHosts[] },
): FeedStatus {
  const status = {
    profile: feedProfile(feed.id),
    freshness: feedFreshness({ ...feed, updatedAt: oldestDataOf(feed, fleet) }, now),
    neededByHosts: hostsThatNeed(feed.id, fleet),
    isFetched: isFetched(feed),
  };
  const alternatives = status.profile?.alternatives ?? [];
  const waysOut = waysFor(feed, { ...status, alternatives }).map((code) => ({
    code,
    text:
      code === 'other_feed'
        ? `${alternatives.join(', ')} can cover the same hosts: sync or import it.`
        : wayOutSentence(code),
  }));
  return { ...status, waysOut };
}

/** The time of the oldest data in use: the feed's own, or that of a release with its own files. */
export function oldestDataOf(
  { id, updatedAt, releases }: Pick<FeedFacts, 'id' | 'updatedAt' | 'releases'>,
  fleet: readonly ReleaseHosts[],
): Date | null {
  const isNeeded = (release: Release): boolean =>
    fleet.some((hosts) => hosts.release === release && hosts.feedId === id && hosts.hosts > 0);
  const times = releases.filter(({ release }) => isNeeded(release)).map((own) => own.updatedAt);
  return [updatedAt, ...times].reduce((oldest, time) =>
    oldest === null || time === null ? null : new Date(Math.min(oldest.getTime(), time.getTime())),
  );
}

/** Approved hosts that a feed covers; for a feed that cannot cover a release alone, hosts of its distributions. */
export function hostsThatNeed(feedId: string, fleet: readonly ReleaseHosts[]): number {
  const profile = feedProfile(feedId);
  if (profile === null) return 0;
  const isNeeded = ({ release, feedId: speaker }: ReleaseHosts): boolean => {
    if (profile.listsFixes) return speaker === feedId;
    const owner = distributionOf(release);
    return owner !== null && (profile.distributions === null || profile.distributions.includes(owner.id));
  };
  return fleet.filter(isNeeded).reduce((sum, { hosts }) => sum + hosts, 0);
}

function waysFor(
  { lastErrorCause, nextSyncAt }: FeedFacts,
  status: Pick<FeedStatus, 'freshness' | 'neededByHosts' | 'isFetched'> & {
    readonly alternatives: readonly string[];
  },
): readonly FeedWayOut[] {
  const other: FeedWayOut[] = status.alternatives.length > 0 ? ['other_feed'] : [];
  if (lastErrorCause !== null) {
    // Without a planned sync the feed does not recover by itself.
    const ways = waysOutOf(lastErrorCause).map((way) =>
      way === 'wait' && nextSyncAt === null ? 'sync' : way,
    );
    return ways.includes('import') ? [...ways, ...other] : ways;
  }
  if (status.freshness === 'current' || status.neededByHosts === 0) return [];
  return [...(status.isFetched ? (['sync', 'import'] as const) : (['import', 'mirror'] as const)), ...other];
}
