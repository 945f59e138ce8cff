import { type OperationId, operationOf, type ServerEventName, serverEventNames } from '@plimsoll/contract';
import { hasRole, isCallerAlive } from '../../auth/authenticate.ts';
import { accountOf, type UserCaller } from '../../auth/signed-in-user.ts';
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
export const streamEvents: Handler<'streamEvents'> = async (request, services) => {
  const { caller } = request;
  const stream = await services.events.open({
    userId: accountOf(caller),
    scope: caller.scope,
    ...credentialOf(caller),
    may: new Set(serverEventNames.filter((name) => hasRole(caller.role, operationOf(shownBy[name]).role))),
    lastEventId: request.headers['last-event-id'] ?? null,
    isAlive: () => isCallerAlive(caller, services),
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

/** The session or API key that a stream ends with. All times are of the database clock. */
function credentialOf({ session, claims, apiKey }: UserCaller) {
  if (apiKey === null) {
    return { sessionId: session.id, endsInMs: claims.expiresAt.getTime() - session.checkedAt.getTime() };
  }
  return { sessionId: apiKey.id, endsInMs: apiKey.expiresAt.getTime() - apiKey.checkedAt.getTime() };
}
