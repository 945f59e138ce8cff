import { keyBytes } from './sealing-key.ts';

/** Characters of 32 bytes in base64url without padding (RFC 4648, section 5). */
export const keyCharacters = 43;

const alphabet = Buffer.from('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');

/* Node's base64url uses strings, which cannot be overwritten and appear in heap dumps; these functions do not. */

/** The 43 characters of a key, as bytes that the caller overwrites. */
export function encodeKey(key: Uint8Array): Buffer {
  const text = Buffer.alloc(keyCharacters);
  for (let at = 0; at < keyCharacters; at += 1) text[at] = alphabet[sixBits(key, at * 6)] ?? 0;
  return text;
}

/**
 * The 32 bytes encoded by 43 characters, which the caller overwrites; null for text that encodeKey does not produce.
 */
export function decodeKey(text: Uint8Array): Buffer | null {
  if (text.length !== keyCharacters) return null;
  const key = Buffer.alloc(keyBytes + 1);
  for (let at = 0; at < keyCharacters; at += 1) {
    const value = alphabet.indexOf(text[at] ?? 0);
    const byte = (at * 6) >> 3;
    // The six bits are in at most two bytes, high bits first.
    const pair = value << (10 - ((at * 6) & 7));
    key[byte] = (key[byte] ?? 0) | (pair >> 8);
    key[byte + 1] = (key[byte + 1] ?? 0) | (pair & 0xff);
    // The last character has two unused bits; without this check a key would have four texts.
    if (value < 0 || (at === keyCharacters - 1 && (value & 3) !== 0)) {
      key.fill(0);
      return null;
    }
  }
  return key.subarray(0, keyBytes);
}

function sixBits(key: Uint8Array, bit: number): number {
  const byte = bit >> 3;
  const pair = ((key[byte] ?? 0) << 8) | (key[byte + 1] ?? 0);
  return (pair >> (10 - (bit & 7))) & 63;
}
