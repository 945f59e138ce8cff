import {
  type OperationId,
  type Operations,
  operationOf,
  type ServerEventName,
  serverEventNames,
} from '@plimsoll/contract';
import { hasRole, isSessionAlive } from '../../auth/authenticate.ts';
import type { Handler } from '../operation-request.ts';

/**
 * For each event, the operation that shows the same data: callers without access to it do not get the event.
 */
const shownBy: Readonly<Record<ServerEventName, OperationId>> = {
  host: 'getHost',
  pull_job: 'listPullJobs',
  upload: 'listUploads',
  feed: 'listFeeds',
  fleet: 'listHosts',
  resync: 'streamEvents',
};

/** GET /events */
export const streamEvents: Handler<Operations['streamEvents']> = async (request, { stores, events }) => {
  const { user, token } = request.caller;
  const stream = await events.open({
    userId: user.id,
    tokenId: token.jti,
    tokenExpiresMs: token.expiresAt.getTime(),
    may: new Set(serverEventNames.filter((name) => hasRole(user.role, operationOf(shownBy[name]).role))),
    lastEventId: request.headers['last-event-id'] ?? null,
    isAlive: () => isSessionAlive(stores.users, user, token.jti),
    signal: request.signal,
  });
  return {
    kind: 'pieces',
    status: 200,
    type: 'text/event-stream; charset=utf-8',
    headers: { 'X-Accel-Buffering': 'no' },
    pieces: stream.pieces,
    cut: stream.cut,
  };
};
