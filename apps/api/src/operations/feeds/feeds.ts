import { isFetched } from '@plimsoll/advisories';
import { AppError } from '@plimsoll/model';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { pollFor } from '../../http/poll-for.ts';
import type { Handler } from '../operation-request.ts';
import { feedAnswers } from './feed-answer.ts';

/** GET /feeds */
export const listFeeds: Handler<'listFeeds'> = async ({ caller }, context) => {
  const feeds = await context.stores.feeds.list();
  return { kind: 'json', status: 200, body: await feedAnswers(feeds, caller.scope, context) };
};

/** POST /feeds/{id}/sync */
export const syncFeed: Handler<'syncFeed'> = async (request, context) => {
  const { stores, queue } = context;
  const { id } = request.params;
  const before = await stores.feeds.find(id);
  if (before === null) throw new AppError('not_found', 'No feed has this id.');
  if (!isFetched(before)) {
    throw new AppError(
      'conflict',
      'This feed has no known address and cannot be fetched. Import a file, or set its address in feeds.urls.',
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
    const [body] = synced === null ? [] : await feedAnswers([synced], request.caller.scope, context);
    if (body !== undefined) return { kind: 'json', status: 200, body };
  }
  return { kind: 'json', status: 202, body: { feed_id: id, status: 'queued' } };
};
