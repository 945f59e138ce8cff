import { createSecretKey, type KeyObject } from 'node:crypto';
import { newId, type SessionClaims } from '@plimsoll/db';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

const issuer = 'plimsoll';
const audience = 'plimsoll-api';
/** The API's own tokens have about 450. */
const longestToken = 2048;

const claimsSchema = z.object({
  sub: z.uuid(),
  sid: z.uuid(),
  gen: z.int(),
  exp: z.int().min(0).max(253_402_300_799), // the year 9999
});

/** Issues and reads access tokens of users: JWTs, HS256 only (RFC 7519, RFC 8725). Each belongs to one session. */
export interface UserTokens {
  /** A token that is valid until `expiresAt`, in whole seconds, or until its session ends. */
  issue(claims: SessionClaims, issuedAt: Date): string;
  /**
   * The claims of a token; null if it was not issued by or for this API. Does not compare times: the session store
   * does, by the database clock.
   */
  read(token: string): SessionClaims | null;
}

/** The secret that signs, then those that only verify. */
export type TokenSecrets = readonly [string, ...string[]];

/** The secrets of the settings; `previous` is null if the secret was not changed lately. */
export function tokenSecrets(current: string, previous: string | null): TokenSecrets {
  return previous === null ? [current] : [current, previous];
}

/** Tokens signed with the first secret. A token of another one stays valid. */
export function createUserTokens(secrets: TokenSecrets): UserTokens {
  // From a text jsonwebtoken would make a key for each token, and try to read it as an RSA key first.
  const [signing, ...previous] = secrets;
  const signingKey = keyOf(signing);
  const keys = [signingKey, ...previous.map(keyOf)];
  return {
    issue({ userId, sessionId, generation, expiresAt }, issuedAt) {
      const [iat, exp] = [secondsOf(issuedAt), secondsOf(expiresAt)];
      const claims = { sub: userId, sid: sessionId, jti: newId(), gen: generation, iat, exp };
      return jwt.sign({ ...claims, iss: issuer, aud: audience }, signingKey, { algorithm: 'HS256' });
    },
    read(token) {
      if (token.length > longestToken) return null;
      const verified = keys.map((key) => verify(token, key)).find((found) => found !== null);
      const claims = claimsSchema.safeParse(verified);
      if (!claims.success) return null;
      const { sub, sid, gen, exp } = claims.data;
      return { userId: sub, sessionId: sid, generation: gen, expiresAt: new Date(exp * 1000) };
    },
  };
}

function secondsOf(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}

function keyOf(secret: string): KeyObject {
  return createSecretKey(secret, 'utf8');
}

function verify(token: string, key: KeyObject): unknown {
  try {
    return jwt.verify(token, key, { algorithms: ['HS256'], issuer, audience, ignoreExpiration: true });
  } catch {
    // The caller cannot tell why a token is invalid.
    return null;
  }
}
