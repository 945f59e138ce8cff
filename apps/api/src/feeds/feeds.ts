import { filesOf, type OwnFiles } from '@plimsoll/advisories';
import type { Feed, Operations } from '@plimsoll/contract';
import type { FeedRow } from '@plimsoll/db';
import { AppError, wayOutSentence, waysOutOf } from '@plimsoll/model';
import { auditActorOf } from '../audit/audit-actor.ts';
import type { Handler } from '../http/operation-request.ts';
import { pollFor } from '../http/prefer-wait.ts';

/** GET /feeds */
export const listFeeds: Handler<Operations['listFeeds']> = async (_request, { stores, settings }) => ({
  kind: 'json',
  status: 200,
  body: (await stores.feeds.list()).map((feed) => feedAnswer(feed, settings.ownFeedFiles)),
});

/** POST /feeds/{id}/sync */
export const syncFeed: Handler<Operations['syncFeed']> = async (request, { stores, queue, settings }) => {
  const { id } = request.params;
  const before = await stores.feeds.find(id);
  if (before === null) throw new AppError('not_found', 'There is no feed of this id.');
  if (!isFetched(id, settings.ownFeedFiles)) {
    throw new AppError(
      'conflict',
      'No address of this feed is known, so that it cannot be fetched. Import a file, or name one in feeds.urls.',
    );
  }
  const target = { kind: 'feed', id, name: null } as const;
  await stores.audit.note({
    action: 'feed.sync_requested',
    actor: auditActorOf(request),
    target,
    details: {},
  });
  await stores.feeds.forgetFailures(id);
  queue.ring('advisory-sync', { kind: 'sync', feedId: id });
  if (request.waitSeconds !== null) {
    const findSynced = async () => {
      const feed = await stores.feeds.find(id);
      return feed?.lastSyncAt?.getTime() === before.lastSyncAt?.getTime() ? null : feed;
    };
    const synced = await pollFor(findSynced, request.waitSeconds, request.signal);
    if (synced !== null)
      return { kind: 'json', status: 200, body: feedAnswer(synced, settings.ownFeedFiles) };
  }
  return { kind: 'json', status: 202, body: { feed_id: id, status: 'queued' } };
};

function isFetched(feedId: string, ownFiles: OwnFiles): boolean {
  return filesOf(feedId, ownFiles).length > 0;
}

function feedAnswer(feed: FeedRow, ownFiles: OwnFiles): Feed {
  return {
    id: feed.id,
    state: feed.state,
    records: feed.records,
    updated_at: feed.updatedAt?.toISOString() ?? null,
    last_sync_at: feed.lastSyncAt?.toISOString() ?? null,
    next_sync_at: feed.nextSyncAt?.toISOString() ?? null,
    last_error: feed.lastError,
    last_error_cause: feed.lastErrorCause,
    consecutive_failures: feed.consecutiveFailures,
    ways_out: (feed.lastErrorCause === null ? [] : waysOutOf(feed.lastErrorCause)).map((code) => ({
      code,
      text: wayOutSentence(code),
    })),
    import_only: !isFetched(feed.id, ownFiles),
  };
}
