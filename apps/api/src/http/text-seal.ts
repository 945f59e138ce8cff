import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

/** Encrypts text that a browser keeps in a cookie. */
export interface TextSeal {
  /** In the alphabet of base64url. */
  seal(text: string): string;
  /** Null for everything that is not from `seal` with the same secret and purpose. */
  open(sealed: string): string | null;
}

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;
/** Browsers store no longer cookies. */
const longestSealed = 4096;

/** A seal with a key derived from the secret that signs the users' tokens; what is sealed for another purpose stays shut. */
export function createTextSeal(secret: string, purpose: string): TextSeal {
  const key = new Uint8Array(hkdfSync('sha256', secret, '', purpose, 32));
  return {
    seal(text) {
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, key, iv);
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
      return Buffer.concat([iv, sealed, cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed) {
      const bytes = sealed.length > longestSealed ? Buffer.alloc(0) : Buffer.from(sealed, 'base64url');
      if (bytes.length < ivBytes + tagBytes) return null;
      try {
        const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, ivBytes));
        decipher.setAuthTag(bytes.subarray(-tagBytes));
        const opened = [decipher.update(bytes.subarray(ivBytes, -tagBytes)), decipher.final()];
        return Buffer.concat(opened).toString('utf8');
      } catch {
        return null; // Not from this seal.
      }
    },
  };
}
