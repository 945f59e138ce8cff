import { createHash, randomBytes } from 'node:crypto';
import type { Operation } from '@plimsoll/contract';
import { type AuthenticatedHost, type EnrolmentStore, newId, type User, type UserStore } from '@plimsoll/db';
import { AppError, type UserRole, userRoles } from '@plimsoll/model';
import type { Request } from 'express';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { queryOf, sentHeaders } from '../http/request-fields.ts';
import type { SetupGate } from './setup-gate.ts';
import type { SignedInUser } from './signed-in-user.ts';

/** The caller; null if the operation needs no credential. */
export type Caller = SignedInUser | AuthenticatedHost | null;

/** What authentication reads. */
interface AuthenticationServices {
  readonly userTokens: UserTokens;
  readonly setupGate: SetupGate;
  readonly stores: { readonly users: UserStore; readonly enrolments: EnrolmentStore };
}

/**
 * The caller of an operation. Throws `unauthenticated` unless the request has a valid credential of exactly the kind
 * that the operation requires, `forbidden` for a user whose role is too low, and `setup_complete` for a setup operation
 * once a user exists.
 */
export async function authenticate(
  operation: Operation,
  request: Request,
  services: AuthenticationServices,
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

async function authenticateUser(
  token: string,
  { userTokens, stores }: AuthenticationServices,
): Promise<SignedInUser> {
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

async function authenticateHost(
  token: string,
  { stores }: AuthenticationServices,
): Promise<AuthenticatedHost> {
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

/**
 * The bearer token of a request. Throws `unauthenticated` unless the request has exactly one, in its Authorization
 * header and not in its URL.
 */
export function bearerOf(request: Request): string {
  refuseCredentialInUrl(request.originalUrl);
  const [header = '', ...more] = sentHeaders(request, 'authorization');
  const token = /^bearer +([\w.~+/=-]+) *$/i.exec(header)?.[1];
  if (token === undefined || more.length > 0) throw unauthenticated();
  return token;
}

/** The error for a request without a valid credential. */
function unauthenticated(): AppError {
  return new AppError(
    'unauthenticated',
    'The request needs a valid token in its Authorization header. Sign in to get one.',
  );
}

const credentialNames = new Set(['token', 'access_token', 'jwt', 'authorization', 'bearer', 'api_key']);

/** Whether a text has the form of a secret token or a JWT. */
function isCredential(text: string): boolean {
  return (
    secretTokenKinds.some((kind) => isSecretToken(kind, text)) || /^eyJ[\w-]+\.[\w-]+\.[\w-]*$/.test(text)
  );
}

/**
 * Throws `unauthenticated` for a credential in the URL: URLs end up in logs, histories and referrers, so a credential
 * there must not work or appear to work.
 */
function refuseCredentialInUrl(url: string): void {
  for (const [name, value] of queryOf(url)) {
    if (credentialNames.has(name.toLowerCase()) || isCredential(value)) {
      throw new AppError(
        'unauthenticated',
        'Tokens are not accepted in URLs. Send the token in the Authorization header.',
      );
    }
  }
}

/** The purposes of secret tokens, given by their prefix: `plh` host access, `plr` registration. */
const secretTokenKinds = ['plh', 'plr'] as const;
type SecretTokenKind = (typeof secretTokenKinds)[number];

/** A new secret: 256 random bits after the prefix of its purpose. */
export function newSecretToken(kind: SecretTokenKind): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text has the form of a secret token of this kind. */
function isSecretToken(kind: SecretTokenKind, text: string): boolean {
  return text.startsWith(`${kind}_`) && /^[\w-]{43}$/.test(text.slice(kind.length + 1));
}

/** The stored form of a secret: SHA-256, which suffices for 256 random bits. */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest());
}

const issuer = 'plimsoll';
const audience = 'plimsoll-api';
/** The API's own tokens have about 400. */
const longestToken = 2048;

const claimsSchema = z.object({
  sub: z.uuid(),
  jti: z.uuid(),
  gen: z.int(),
  exp: z.int(),
});

/** The claims of a valid token. */
interface UserTokenClaims {
  readonly userId: string;
  readonly jti: string;
  readonly generation: number;
  readonly expiresAt: Date;
}

/** Issues and reads user tokens: JWTs, HS256 only (RFC 7519, RFC 8725). */
export interface UserTokens {
  issue(user: Pick<User, 'id' | 'tokenGeneration'>): { readonly token: string; readonly expiresAt: Date };
  /** The claims of a token; null if it was not issued by or for this API, or has expired. Does not check revocation. */
  read(token: string): UserTokenClaims | null;
}

/** Tokens signed with `secret` and valid for the given number of minutes. */
export function createUserTokens(options: {
  readonly secret: string;
  readonly lifetimeMinutes: number;
  readonly clock: () => Date;
}): UserTokens {
  const { secret, lifetimeMinutes, clock } = options;
  const nowSeconds = () => Math.floor(clock().getTime() / 1000);
  return {
    issue({ id, tokenGeneration }) {
      const iat = nowSeconds();
      const exp = iat + lifetimeMinutes * 60;
      const claims = { sub: id, jti: newId(), gen: tokenGeneration, iat, exp, iss: issuer, aud: audience };
      return { token: jwt.sign(claims, secret, { algorithm: 'HS256' }), expiresAt: new Date(exp * 1000) };
    },
    read(token) {
      if (token.length > longestToken) return null;
      const verified = verify(token, secret, nowSeconds());
      const claims = claimsSchema.safeParse(verified);
      if (!claims.success) return null;
      const { sub, jti, gen, exp } = claims.data;
      return { userId: sub, jti, generation: gen, expiresAt: new Date(exp * 1000) };
    },
  };
}

function verify(token: string, secret: string, clockTimestamp: number): unknown {
  try {
    return jwt.verify(token, secret, { algorithms: ['HS256'], issuer, audience, clockTimestamp });
  } catch {
    // The caller cannot tell why a token is invalid.
    return null;
  }
}
