import { createHash } from 'node:crypto';
import { publicKeyBlob } from './public-key.ts';

/** `SHA256:…` of a public key, as `ssh-keygen -lf` prints it. Takes raw ed25519 keys (32 bytes) and key blobs. */
export function fingerprintOf(key: Uint8Array): string {
  const blob = key.length === 32 ? publicKeyBlob(key) : key;
  return `SHA256:${createHash('sha256').update(blob).digest('base64').replace(/=$/, '')}`;
}

/**
 * A fingerprint somebody typed, in the one form we store: `SHA256:` and 43 characters of base64. Takes white space
 * around it and the `=` that some tools print; null for everything else, MD5 fingerprints as well.
 */
export function parseFingerprint(text: string): string | null {
  const digest = /^SHA256:([A-Za-z0-9+/]{43})=?$/.exec(text.trim())?.[1];
  if (digest === undefined) return null;
  // The last character carries two bits that belong to no byte: ssh-keygen writes them as zeros, so others match nothing.
  return Buffer.from(digest, 'base64').toString('base64') === `${digest}=` ? `SHA256:${digest}` : null;
}
