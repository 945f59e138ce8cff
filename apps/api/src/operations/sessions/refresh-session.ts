import { AppError } from '@plimsoll/model';
import { hashSecret } from '../../auth/authenticate.ts';
import { refreshTokenIn, requireSameOrigin } from '../../auth/refresh-cookie.ts';
import { sessionAnswer } from '../../auth/start-session.ts';
import type { Handler } from '../operation-request.ts';

/** POST /auth/refresh */
export const refreshSession: Handler<'refreshSession'> = async (request, services) => {
  const { headers, origin, requestOrigin } = request;
  requireSameOrigin(headers, [origin, requestOrigin]);
  const presented = refreshTokenIn(headers.cookie);
  const sessionId = presented === null ? null : services.refreshTokens.sessionOf(presented);
  if (presented === null || sessionId === null) throw signInAgain();
  const successors = services.refreshTokens.successorsOf(presented);
  const refreshed = await services.stores.sessions.refresh(
    {
      sessionId,
      hash: hashSecret(presented),
      successors: successors.map(hashSecret),
      idleMinutes: services.settings.sessionIdleMinutes,
    },
    { ipAddress: request.address || null, requestId: request.requestId },
  );
  if (refreshed.kind !== 'refreshed') throw signInAgain();
  const refreshToken = successors[refreshed.successor] ?? null;
  return {
    kind: 'json',
    status: 200,
    ...sessionAnswer({ ...refreshed, refreshToken }, origin, services),
  };
};

function signInAgain(): AppError {
  return new AppError('unauthenticated', 'The session has ended. Sign in.');
}
