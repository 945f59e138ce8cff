import type { Operation } from '@plimsoll/contract';
import type { AuthenticatedHost, User, UserStore } from '@plimsoll/db';
import { AppError, type UserRole, userRoles } from '@plimsoll/model';
import type { Request } from 'express';
import { bearerOf, unauthenticated } from '../auth/bearer.ts';
import { hashSecret, isSecretToken } from '../auth/secret-token.ts';
import type { SignedInUser } from '../auth/signed-in-user.ts';
import type { UserTokenClaims } from '../auth/user-tokens.ts';
import type { ApiServices } from '../context.ts';

/** The caller; null if the operation needs no credential. */
export type Caller = SignedInUser | AuthenticatedHost | null;

/**
 * Who calls an operation. Throws `unauthenticated` unless the request shows a living credential of the very kind the
 * operation asks for, `forbidden` for a user of too low a role, `setup_complete` where only the time before counts.
 */
export async function authenticate(
  operation: Operation,
  request: Request,
  services: ApiServices,
): Promise<Caller> {
  switch (operation.auth) {
    case 'none':
      return null;
    case 'setup':
      await services.setupGate.requireOpen();
      return null;
    case 'user': {
      const signedIn = await authenticateUser(bearerOf(request), services);
      requireRole(signedIn.user.role, operation.role);
      return signedIn;
    }
    case 'host':
      return authenticateHost(bearerOf(request), services);
    default:
      return operation.auth satisfies never;
  }
}

async function authenticateUser(token: string, { userTokens, stores }: ApiServices): Promise<SignedInUser> {
  const claims = userTokens.read(token);
  if (claims === null) throw unauthenticated();
  const user = await findSessionUser(stores.users, claims);
  if (user === null) throw unauthenticated();
  return { user, token: { jti: claims.jti, expiresAt: claims.expiresAt } };
}

/** Whether a token that opened something still would. */
export async function isSessionAlive(
  users: UserStore,
  { id, tokenGeneration }: User,
  jti: string,
): Promise<boolean> {
  return (await findSessionUser(users, { userId: id, jti, generation: tokenGeneration })) !== null;
}

/** Null when the token was ended, with all tokens of its user or alone. */
async function findSessionUser(
  users: UserStore,
  { userId, jti, generation }: Pick<UserTokenClaims, 'userId' | 'jti' | 'generation'>,
): Promise<User | null> {
  const [user, revoked] = await Promise.all([users.findById(userId), users.isTokenRevoked(jti)]);
  const isAlive =
    user !== null && !revoked && user.disabledAt === null && user.tokenGeneration === generation;
  return isAlive ? user : null;
}

async function authenticateHost(token: string, { stores }: ApiServices): Promise<AuthenticatedHost> {
  const host = isSecretToken('plh', token)
    ? await stores.enrolments.authenticateHost(hashSecret(token))
    : null;
  if (host === null) throw unauthenticated();
  return host;
}

/** Whether a role allows what asks for at least another. `userRoles` goes from the most powerful to the least. */
export function hasRole(role: UserRole, least: UserRole | null): boolean {
  return least === null || userRoles.indexOf(role) <= userRoles.indexOf(least);
}

function requireRole(role: UserRole, least: UserRole | null): void {
  if (!hasRole(role, least)) {
    throw new AppError('forbidden', `This needs the role ${least}.`);
  }
}
