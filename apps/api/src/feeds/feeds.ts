import { filesOf } from '@plimsoll/advisories';
import type { Feed, Operations } from '@plimsoll/contract';
import type { FeedRow } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import type { Handler } from '../http/operation-request.ts';
import { pollFor } from '../http/prefer-wait.ts';

/** GET /feeds */
export const listFeeds: Handler<Operations['listFeeds']> = async (_request, { stores }) => ({
  kind: 'json',
  status: 200,
  body: (await stores.feeds.list()).map(feedAnswer),
});

/** POST /feeds/{id}/sync */
export const syncFeed: Handler<Operations['syncFeed']> = async (request, { stores, queue }) => {
  const { id } = request.params;
  const before = await stores.feeds.find(id);
  if (before === null) throw new AppError('not_found', 'There is no feed of this id.');
  queue.ring('advisory-sync', { kind: 'sync', feedId: id });
  if (request.waitSeconds !== null) {
    const findSynced = async () => {
      const feed = await stores.feeds.find(id);
      return feed?.lastSyncAt?.getTime() === before.lastSyncAt?.getTime() ? null : feed;
    };
    const synced = await pollFor(findSynced, request.waitSeconds, request.signal);
    if (synced !== null) return { kind: 'json', status: 200, body: feedAnswer(synced) };
  }
  return { kind: 'json', status: 202, body: { feed_id: id, status: 'queued' } };
};

function feedAnswer(feed: FeedRow): Feed {
  return {
    id: feed.id,
    state: feed.state === 'never_synced' && filesOf(feed.id).length === 0 ? 'import_only' : feed.state,
    records: feed.records,
    updated_at: feed.updatedAt?.toISOString() ?? null,
    last_sync_at: feed.lastSyncAt?.toISOString() ?? null,
    next_sync_at: feed.nextSyncAt?.toISOString() ?? null,
    last_error: feed.lastError,
  };
}
