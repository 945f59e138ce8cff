import { hostsThatNeed, oldestDataOf } from '@plimsoll/advisories';
import type { FeedStore } from '@plimsoll/db';
import { feedFreshness, feedFreshnesses, wholeFleet } from '@plimsoll/model';
import type { Logger, Metrics } from '@plimsoll/process';

type Rows = Awaited<ReturnType<FeedStore['list']>>;

/**
 * Registers the feeds' metrics, in the terms of GET /feeds: age and threshold in seconds, `freshness` (1 for the
 * current state), consecutive failures, and the number of approved hosts that need the feed. No values while the
 * database is unreachable.
 */
export function registerFeedMetrics(options: {
  readonly metrics: Metrics;
  readonly feeds: Pick<FeedStore, 'list' | 'hostsByRelease'>;
  readonly logger: Logger;
  readonly clock: () => Date;
}): void {
  const { metrics, feeds, logger, clock } = options;
  const register = (name: string, help: string, measure: (row: Rows[number]) => number | null) =>
    metrics.gauge(name, help, ['feed'], async (gauge) => {
      gauge.reset();
      for (const row of await rowsOf(feeds, logger)) {
        const value = measure(row);
        if (value !== null) gauge.set({ feed: row.id }, value);
      }
    });
  register(
    'plimsoll_feed_age_seconds',
    'Age of the data of a feed. Nothing for one that was never synced or imported.',
    ({ updatedAt }) =>
      updatedAt === null ? null : Math.max(0, clock().getTime() - updatedAt.getTime()) / 1000,
  );
  register(
    'plimsoll_feed_stale_after_seconds',
    'Age from which on the data of a feed is outdated (feeds.stale_after_days).',
    ({ staleAfterSeconds }) => staleAfterSeconds,
  );
  register(
    'plimsoll_feed_consecutive_failures',
    'Syncs of a feed that failed in a row.',
    ({ consecutiveFailures }) => consecutiveFailures,
  );
  registerFreshness(options);
  registerNeed(options);
}

function registerFreshness({
  metrics,
  feeds,
  logger,
  clock,
}: Parameters<typeof registerFeedMetrics>[0]): void {
  const help = "The state of a feed's data: 1 for the current state, 0 for the others.";
  metrics.gauge('plimsoll_feed_freshness', help, ['feed', 'freshness'], async (gauge) => {
    gauge.reset();
    for (const row of await rowsOf(feeds, logger)) {
      const holds = feedFreshness(row, clock());
      for (const freshness of feedFreshnesses)
        gauge.set({ feed: row.id, freshness }, Number(freshness === holds));
    }
  });
}

function registerNeed({ metrics, feeds, logger }: Parameters<typeof registerFeedMetrics>[0]): void {
  metrics.gauge('plimsoll_feed_hosts', 'Approved hosts that need a feed.', ['feed'], async (gauge) => {
    gauge.reset();
    const fleet = await unlessAway(() => feeds.hostsByRelease(wholeFleet), logger);
    for (const { id } of fleet === null ? [] : await rowsOf(feeds, logger))
      gauge.set({ feed: id }, hostsThatNeed(id, fleet ?? []));
  });
}

/** The feeds, each with the age of its oldest data that hosts depend on. */
async function rowsOf(feeds: Pick<FeedStore, 'list' | 'hostsByRelease'>, logger: Logger): Promise<Rows> {
  const read = async () => [await feeds.list(), await feeds.hostsByRelease(wholeFleet)] as const;
  const [rows, fleet] = (await unlessAway(read, logger)) ?? [[], []];
  return rows.map((row) => ({ ...row, updatedAt: oldestDataOf(row, fleet) }));
}

/** Null while the database is unreachable. */
async function unlessAway<T>(read: () => Promise<T>, logger: Logger): Promise<T | null> {
  try {
    return await read();
  } catch (error) {
    logger.warn({ err: error }, 'feeds not measured');
    return null;
  }
}
