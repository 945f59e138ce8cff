import { createHash, randomBytes } from 'node:crypto';
import { isDownload, isPersonal, type Operation } from '@plimsoll/contract';
import type {
  ApiKeyStore,
  AuthenticatedHost,
  EnrolmentStore,
  SessionClaims,
  SessionStore,
} from '@plimsoll/db';
import { AppError, type UserRole, userRoles } from '@plimsoll/model';
import type { Request } from 'express';
import { queryOf, sentHeaders } from '../http/request-fields.ts';
import { authenticateApiKey, hasEqualRights, keyAsOfNow } from './api-keys.ts';
import { type DownloadCookies, mayUseCookie } from './download-cookie.ts';
import { type AuthenticatedCaller, aboutCaller, callerKnownAs } from './known-caller.ts';
import {
  isFactorMissing,
  type ProofSettings,
  requireClientName,
  requireFactorOfOwner,
  requireProof,
} from './require-proof.ts';
import type { SetupGate } from './setup-gate.ts';
import type { SignedInUser, UserCaller } from './signed-in-user.ts';
import type { UserTokens } from './user-tokens.ts';

/** The caller; null if the operation needs no credential. */
export type Caller = AuthenticatedCaller | null;

/** What authentication reads. */
interface AuthenticationServices {
  readonly userTokens: UserTokens;
  readonly downloadCookies: DownloadCookies;
  readonly setupGate: SetupGate;
  readonly settings: ProofSettings & { readonly clientNameHeader: string | null };
  readonly stores: {
    readonly sessions: SessionStore;
    readonly enrolments: EnrolmentStore;
    readonly apiKeys: ApiKeyStore;
  };
}

/**
 * The caller of an operation. Throws `unauthenticated` unless the request has a valid credential of exactly the kind
 * that the operation requires, `forbidden` for a user whose role is too low, for an API key on a personal operation and
 * for a caller who is limited to tags on an operation about the whole installation, the errors of requireProof, and
 * `setup_complete` for a setup operation once a user exists.
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
      const caller = await authenticateCaller(operation, request, services);
      if (!hasRole(caller.role, operation.role)) throw roleTooLow(caller, operation);
      if (operation.fleetWide && caller.scope.kind !== 'whole_fleet') throw scopeTooNarrow(caller);
      if (caller.apiKey === null) requireProof(caller, operation, services.settings);
      else requireFactorOfOwner(caller.role, caller.apiKey.owner, services.settings);
      return caller;
    }
    case 'host':
      return authenticateHost(request, services);
    default:
      return operation.auth satisfies never;
  }
}

async function authenticateCaller(
  operation: Operation,
  request: Request,
  services: AuthenticationServices,
): Promise<UserCaller> {
  const allowed =
    isDownload(operation) && mayUseCookie(request) ? services.downloadCookies.read(request) : null;
  if (allowed !== null) return authenticateUser(allowed.claims, services);
  const bearer = bearerOf(request);
  return isSecretToken('plk', bearer)
    ? requireKey(operation, bearer, request, services)
    : authenticateUser(services.userTokens.read(bearer), services);
}

async function authenticateUser(
  claims: SessionClaims | null,
  { stores }: Pick<AuthenticationServices, 'stores'>,
): Promise<SignedInUser> {
  if (claims === null) throw unauthenticated();
  const found = await stores.sessions.find(claims);
  if (found === null) throw aboutCaller(unauthenticated(), { kind: 'user', id: claims.userId, name: null });
  await stores.sessions.noteUse(found.session);
  const { user, session } = found;
  return { user, role: user.role, scope: user.scope, session, claims, apiKey: null };
}

async function requireKey(
  operation: Operation,
  key: string,
  request: Request,
  services: AuthenticationServices,
): Promise<UserCaller> {
  const { apiKeys } = services.stores;
  const hash = hashSecret(key);
  const caller = await authenticateApiKey(hash, request.ip ?? '', apiKeys);
  if (caller === null) {
    // A live key that is used from elsewhere was copied. The answer does not tell.
    const found = await apiKeys.findByHash(hash);
    if (found === null) throw unauthenticated();
    const { id, name } = found.key;
    throw aboutCaller(unauthenticated(), { kind: 'api_key', id, name: `${name} (${found.user.email})` });
  }
  if (isPersonal(operation)) {
    const text = 'API keys cannot do this. It needs a user who is signed in.';
    throw aboutCaller(new AppError('forbidden', text), callerKnownAs(caller));
  }
  return caller;
}

/** Whether the credential of a caller is still valid, with the same rights. */
export async function isCallerAlive(
  caller: UserCaller,
  { stores, settings }: Pick<AuthenticationServices, 'stores' | 'settings'>,
): Promise<boolean> {
  if (caller.apiKey !== null) {
    const now = await keyAsOfNow(caller, stores.apiKeys);
    return now !== null && !isFactorMissing(now.role, now.apiKey.owner, settings);
  }
  const found = await stores.sessions.find(caller.claims);
  return found !== null && hasEqualRights(found.user, caller);
}

async function authenticateHost(
  request: Request,
  { stores, settings }: AuthenticationServices,
): Promise<AuthenticatedHost> {
  const token = bearerOf(request);
  if (!isSecretToken('plh', token)) throw unauthenticated();
  const hash = hashSecret(token);
  const host = await stores.enrolments.authenticateHost(hash);
  if (host !== null) {
    requireNamed(request, host, settings);
    return host;
  }
  const ended = await stores.enrolments.hostOfEnded(hash);
  if (ended === null) throw unauthenticated();
  const { hostId: id, replaced, retired } = ended;
  throw aboutCaller(retired ? hostRetired() : unauthenticated(), {
    kind: 'host',
    id,
    name: null,
    ...(replaced ? { reused: true } : {}),
  });
}

function hostRetired(): AppError {
  return new AppError(
    'host_retired',
    'This host is retired: its token has ended and its reports are refused.',
  );
}

function requireNamed(
  request: Request,
  { hostname, hostId: id }: AuthenticatedHost,
  { clientNameHeader }: AuthenticationServices['settings'],
): void {
  try {
    requireClientName(request, hostname, clientNameHeader);
  } catch (error) {
    throw error instanceof AppError ? aboutCaller(error, { kind: 'host', id, name: null }) : error;
  }
}

/** Whether a role includes the required one. `userRoles` is ordered from most to least powerful. */
export function hasRole(role: UserRole, least: UserRole | null): boolean {
  return least === null || userRoles.indexOf(role) <= userRoles.indexOf(least);
}

function scopeTooNarrow(caller: UserCaller): AppError {
  const text = 'This is about all hosts, and you are limited to hosts with some tags.';
  return aboutCaller(new AppError('forbidden', text), callerKnownAs(caller));
}

function roleTooLow(caller: UserCaller, { role }: Operation): AppError {
  return aboutCaller(new AppError('forbidden', `This needs the role ${role}.`), callerKnownAs(caller));
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

/** The purposes of secret tokens, given by their prefix: `plh` host access, `plr` registration, `plk` API key, `pli` invitation. */
const secretTokenKinds = ['plh', 'plr', 'plk', 'pli'] as const;
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
