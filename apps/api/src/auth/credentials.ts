import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '@plimsoll/model';
import type { Request } from 'express';
import { queryOf, sentHeaders } from '../http/request-head.ts';

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
export function unauthenticated(): AppError {
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
export type SecretTokenKind = (typeof secretTokenKinds)[number];

/** A new secret: 256 random bits after the prefix of its purpose. */
export function newSecretToken(kind: SecretTokenKind): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text has the form of a secret token of this kind. */
export function isSecretToken(kind: SecretTokenKind, text: string): boolean {
  return text.startsWith(`${kind}_`) && /^[\w-]{43}$/.test(text.slice(kind.length + 1));
}

/** The stored form of a secret: SHA-256, which suffices for 256 random bits. */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest());
}
