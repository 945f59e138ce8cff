import type { Operation } from '@plimsoll/contract';
import type { AuthenticatedHost, User, UserStore } from '@plimsoll/db';
import { AppError, type UserRole, userRoles } from '@plimsoll/model';
import type { Request } from 'express';
import { bearerOf, hashSecret, isSecretToken, unauthenticated } from '../auth/credentials.ts';
import type { SignedInUser } from '../auth/signed-in-user.ts';
import type { UserTokenClaims } from '../auth/user-tokens.ts';
import type { ApiServices } from '../context.ts';

/** The caller; null if the operation needs no credential. */
export type Caller = SignedInUser | AuthenticatedHost | null;

/**
 * The caller of an operation. Throws `unauthenticated` unless the request has a valid credential of exactly the kind
 * that the operation requires, `forbidden` for a user whose role is too low, and `setup_complete` for a setup operation
 * once a user exists.
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

/** Whether a token that was accepted before is still valid. */
export async function isSessionAlive(
  users: UserStore,
  { id, tokenGeneration }: User,
  jti: string,
): Promise<boolean> {
  return (await findSessionUser(users, { userId: id, jti, generation: tokenGeneration })) !== null;
}

/** Null if the token was revoked, alone or with all tokens of its user. */
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

/** Whether a role includes the required one. `userRoles` is ordered from most to least powerful. */
export function hasRole(role: UserRole, least: UserRole | null): boolean {
  return least === null || userRoles.indexOf(role) <= userRoles.indexOf(least);
}

function requireRole(role: UserRole, least: UserRole | null): void {
  if (!hasRole(role, least)) {
    throw new AppError('forbidden', `This needs the role ${least}.`);
  }
}
