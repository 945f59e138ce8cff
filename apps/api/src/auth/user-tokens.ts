import type { User } from '@plimsoll/db';
import { newId } from '@plimsoll/db';
import jwt from 'jsonwebtoken';
import { z } from 'zod';

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
export interface UserTokenClaims {
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
