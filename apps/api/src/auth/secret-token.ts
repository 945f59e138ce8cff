import { createHash, randomBytes } from 'node:crypto';

/** What a secret token is for, as its prefix says. */
export type SecretTokenKind = 'plh' | 'plr';

/** A new secret: 256 random bits behind a prefix that says what it is for (`plh` host access, `plr` registration). */
export function newSecretToken(kind: SecretTokenKind): string {
  return `${kind}_${randomBytes(32).toString('base64url')}`;
}

/** Whether a text has the form of a secret token of a kind. */
export function isSecretToken(kind: SecretTokenKind, text: string): boolean {
  return text.startsWith(`${kind}_`) && /^[\w-]{43}$/.test(text.slice(kind.length + 1));
}

/** What is stored of a secret: SHA-256, which is enough for 256 random bits. */
export function hashSecret(secret: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(createHash('sha256').update(secret).digest());
}
