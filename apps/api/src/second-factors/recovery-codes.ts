import { createHash, randomInt } from 'node:crypto';

/** How many codes a user gets. */
const codesPerUser = 10;
const groups = 4;
const groupLength = 5;
/** RFC 4648's base 32 alphabet: no 0, 1 and 8, which look like O, I and B. */
const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** New recovery codes, to be shown once: 100 random bits each, in four groups of five letters and digits. */
export function newRecoveryCodes(): readonly string[] {
  const letter = (): string => alphabet.charAt(randomInt(alphabet.length));
  const group = (): string => Array.from({ length: groupLength }, letter).join('');
  const code = (): string => Array.from({ length: groups }, group).join('-');
  return Array.from({ length: codesPerUser }, code);
}

/**
 * The stored form of a user's recovery code, however it is typed: SHA-256, which suffices for 100 random bits. Contains the
 * user, so that equal codes of two users differ.
 */
export function recoveryDigest(userId: string, code: string): Uint8Array<ArrayBuffer> {
  const letters = code.toUpperCase().replace(/[^A-Z2-7]/g, '');
  return new Uint8Array(createHash('sha256').update(`recovery code\0${userId}\0${letters}`).digest());
}
