import type { SignedIn, User } from '@plimsoll/contract';
import {
  type LiveSession,
  newId,
  type SessionMethod,
  type SessionStore,
  type User as StoredUser,
} from '@plimsoll/db';
import { tagsOfScope } from '@plimsoll/model';
import type { AnswerHeaders } from '../http/answer.ts';
import { hashSecret } from './authenticate.ts';
import { refreshCookie } from './refresh-cookie.ts';
import type { RefreshTokens } from './refresh-tokens.ts';
import { type Origin, userActor } from './signed-in-user.ts';
import type { UserTokens } from './user-tokens.ts';

/** The lifetime of an access token beside a refresh cookie, in seconds. */
export const accessTokenSeconds = 600;

/** A user for whom all checks of a sign-in have passed. */
interface Authenticated {
  /** As read when the user was authenticated. */
  readonly user: StoredUser;
  readonly method: SessionMethod;
  /** When an identity provider authenticated the user; omitted: now. */
  readonly authenticatedAt?: Date | null;
  /** Whether the client wants a short access token and a refresh token in a cookie. */
  readonly wantsCookie: boolean;
}

/** What a session records about the request that starts it. */
interface StartingRequest extends Origin {
  readonly userAgent: string;
  /** The origin under which the client reaches the API. */
  readonly origin: string;
}

/** What sessions are started with. */
interface SessionServices {
  readonly stores: { readonly sessions: SessionStore };
  readonly userTokens: UserTokens;
  readonly refreshTokens: RefreshTokens;
  readonly settings: {
    readonly tokenLifetimeMinutes: number;
    readonly sessionIdleMinutes: number;
    readonly sessionLifetimeMinutes: number;
    readonly accessTokenSeconds: number;
  };
}

/** The parts of the answer to a sign-in. */
interface SessionStart {
  readonly body: SignedIn;
  readonly headers: AnswerHeaders;
}

/**
 * Starts a session: the only way to one. Every way of signing in calls it once all checks have passed, and answers with
 * its result. Writes the audit event `user.logged_in`.
 */
export async function startSession(
  { user, method, authenticatedAt = null, wantsCookie }: Authenticated,
  request: StartingRequest,
  services: SessionServices,
): Promise<SessionStart> {
  const { tokenLifetimeMinutes, sessionIdleMinutes, sessionLifetimeMinutes } = services.settings;
  const id = newId<string>();
  const refreshToken = wantsCookie ? services.refreshTokens.first(id) : null;
  const session = await services.stores.sessions.start(
    {
      id,
      user,
      method,
      authenticatedAt,
      kind: wantsCookie ? 'browser' : 'token',
      lifetimeMinutes: wantsCookie ? sessionLifetimeMinutes : tokenLifetimeMinutes,
      idleMinutes: wantsCookie ? sessionIdleMinutes : null,
      ipAddress: request.address || null,
      userAgent: request.userAgent,
      refreshHash: refreshToken === null ? null : hashSecret(refreshToken),
    },
    userActor(user.id, user.email, { address: request.address, requestId: request.requestId }),
  );
  return sessionAnswer({ user, session, refreshToken }, request.origin, services);
}

/** The answer with a new access token of a session and, if it has one, its newest refresh token. */
export function sessionAnswer(
  { user, session, refreshToken }: { user: StoredUser; session: LiveSession; refreshToken: string | null },
  origin: string,
  { userTokens, settings }: Pick<SessionServices, 'userTokens' | 'settings'>,
): SessionStart {
  const { id: sessionId, endsAt, checkedAt, kind } = session;
  const shortMs = kind === 'browser' ? settings.accessTokenSeconds * 1000 : Number.POSITIVE_INFINITY;
  const leftMs = endsAt.getTime() - checkedAt.getTime();
  const expiresAt = wholeSeconds(checkedAt.getTime() + Math.min(shortMs, leftMs));
  const claims = { userId: user.id, sessionId, generation: user.tokenGeneration, expiresAt };
  const token = userTokens.issue(claims, checkedAt);
  return {
    body: { token, expires_at: expiresAt.toISOString(), user: userAnswer(user) },
    headers: refreshToken === null ? {} : refreshCookie(refreshToken, leftMs / 1000, origin),
  };
}

function wholeSeconds(ms: number): Date {
  return new Date(Math.floor(ms / 1000) * 1000);
}

/** A user as shown to that user. */
export function userAnswer({ id, email, name, role, scope, createdAt }: StoredUser): User {
  return { id, email, name, role, tags: tagsOfScope(scope), created_at: createdAt.toISOString() };
}
