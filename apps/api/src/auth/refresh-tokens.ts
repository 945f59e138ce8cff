import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto';
import type { TokenSecrets } from './user-tokens.ts';

/**
 * Issues and reads refresh tokens, `plf_<session>.<value>.<signature>`. The value of the first one of a session is
 * random; each later one is derived from the token before it with a key of the server. So the same token always gets
 * the same successor, and nothing that is stored (hashes) gives a token.
 */
export interface RefreshTokens {
  /** The first token of a session. */
  first(sessionId: string): string;
  /** The session of a token; null if this server did not issue it. Does not check whether the token is still valid. */
  sessionOf(token: string): string | null;
  /** The tokens that may follow a token: one for each secret, that of the current secret first. */
  successorsOf(token: string): readonly string[];
}

const form = /^plf_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{43})\.([\w-]{43})$/;

/** Tokens signed with the first secret. A token of another one stays valid. */
export function createRefreshTokens(secrets: TokenSecrets): RefreshTokens {
  const keys = secrets.map((secret) => ({
    signature: keyOf(secret, 'plimsoll refresh token: signature'),
    successor: keyOf(secret, 'plimsoll refresh token: successor'),
  }));
  type Keys = (typeof keys)[number];
  const make = (sessionId: string, value: Buffer, { signature }: Keys): string => {
    const named = `plf_${sessionId}.${value.toString('base64url')}`;
    return `${named}.${hmac(signature, named).toString('base64url')}`;
  };
  const [current] = keys;
  if (current === undefined) throw new Error('no secret for refresh tokens');
  return {
    first: (sessionId) => make(sessionId, randomBytes(32), current),
    sessionOf(token) {
      const [, sessionId, , signature] = form.exec(token) ?? [];
      if (sessionId === undefined || signature === undefined) return null;
      const named = token.slice(0, token.lastIndexOf('.'));
      const given = Buffer.from(signature, 'base64url');
      const isOurs = keys.some((key) => timingSafeEqual(hmac(key.signature, named), given));
      return isOurs ? sessionId : null;
    },
    successorsOf(token) {
      const [, sessionId = ''] = form.exec(token) ?? [];
      return keys.map((key) => make(sessionId, hmac(key.successor, token), key));
    },
  };
}

function keyOf(secret: string, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', purpose, 32));
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac('sha256', key).update(text).digest();
}
