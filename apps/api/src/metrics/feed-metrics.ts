import { hostsThatNeed, oldestDataOf } from '@plimsoll/advisories';
import { cachedValue, type FeedStore } from '@plimsoll/db';
import { feedFreshness, feedFreshnesses, wholeFleet } from '@plimsoll/model';
import type { ReadGauge } from './read-gauge.ts';

/** The metrics of feeds, in the terms of GET /feeds. A scrape reads the feeds once. */
export function feedGauges({
  feeds,
  clock,
}: {
  readonly feeds: Pick<FeedStore, 'list' | 'hostsByRelease'>;
  readonly clock: () => Date;
}): readonly ReadGauge[] {
  const load = async () => {
    const [rows, fleet] = [await feeds.list(), await feeds.hostsByRelease(wholeFleet)];
    return rows.map((row) => ({
      ...row,
      // Of its oldest data that hosts depend on.
      updatedAt: oldestDataOf(row, fleet),
      hosts: hostsThatNeed(row.id, fleet),
    }));
  };
  const shared = cachedValue(load, { freshMs: () => 0 });
  type Row = Awaited<ReturnType<typeof load>>[number];
  const gauge = (name: string, help: string, measure: (row: Row) => number | null): ReadGauge => ({
    name,
    help,
    labels: ['feed'],
    read: async () =>
      (await shared.get()).flatMap((row) => {
        const value = measure(row);
        return value === null ? [] : [[row.id, value] as const];
      }),
  });
  return [
    gauge(
      'plimsoll_feed_age_seconds',
      'Age of the data of a feed. Nothing for one that was never synced or imported.',
      ({ updatedAt }) =>
        updatedAt === null ? null : Math.max(0, clock().getTime() - updatedAt.getTime()) / 1000,
    ),
    gauge(
      'plimsoll_feed_stale_after_seconds',
      'Age from which on the data of a feed is outdated (feeds.stale_after_days).',
      ({ staleAfterSeconds }) => staleAfterSeconds,
    ),
    gauge(
      'plimsoll_feed_consecutive_failures',
      'Syncs of a feed that failed in a row.',
      ({ consecutiveFailures }) => consecutiveFailures,
    ),
    gauge(
      'plimsoll_feed_rejected_records',
      'Records that the last read of a feed could not use.',
      ({ rejectedRecords }) => rejectedRecords,
    ),
    gauge('plimsoll_feed_hosts', 'Approved hosts that need a feed.', ({ hosts }) => hosts),
    {
      name: 'plimsoll_feed_freshness',
      help: "The state of a feed's data: 1 for the current state, 0 for the others.",
      labels: ['feed', 'freshness'],
      read: async () =>
        (await shared.get()).flatMap((row) => {
          const holds = feedFreshness(row, clock());
          return feedFreshnesses.map(
            (freshness) => [row.id, freshness, Number(freshness === holds)] as const,
          );
        }),
    },
  ];
}
