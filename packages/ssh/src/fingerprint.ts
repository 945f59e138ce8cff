import { createHash } from 'node:crypto';
import { publicKeyBlob } from './public-key.ts';

/** `SHA256:…` of a public key, in the form of `ssh-keygen -lf`. Accepts raw ed25519 keys (32 bytes) and key blobs. */
export function fingerprintOf(key: Uint8Array): string {
  const blob = key.length === 32 ? publicKeyBlob(key) : key;
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=$/, '')}`;
}

/**
 * A typed fingerprint in its stored form: `SHA256:` and 43 characters of base64. Accepts white space around it and the
 * `=` that some tools print; null for all other text, including MD5 fingerprints.
 */
export function parseFingerprint(text: string): string | null {
  const digest = /^SHA256:([A-Za-z0-9+/]{43})=?$/.exec(text.trim())?.[1];
  if (digest === undefined) return null;
  // The last character has two unused bits, which ssh-keygen writes as zeros; other values would match nothing.
  return Buffer.from(digest, 'base64').toString('base64') === `${digest}=` ? `SHA256:${digest}` : null;
}
