import { createHash, randomBytes } from 'node:crypto';

/** The purpose of a secret token, given by its prefix. */
export type SecretTokenKind = 'plh' | 'plr';

/** A new secret: 256 random bits after a prefix for its purpose (`plh` host access, `plr` registration). */
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
