import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

/** Bytes of either half of an Ed25519 pair (RFC 8032). */
export const signingKeyBytes = 32;

/** A whole pair: signs what its public half verifies. */
export interface SigningKey {
  /** The public half, 32 bytes. */
  readonly publicBytes: Buffer;
  readonly privateKey: KeyObject;
}

/** DER as in RFC 8410: these bytes, then the 32 of the key. */
const publicPrefix = Buffer.from('302a300506032b6570032100', 'hex');
const privatePrefix = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Makes a new pair. `secret`: the 32 bytes of its private half, which the caller overwrites. */
export function generateSigningKey(): { readonly publicBytes: Buffer; readonly secret: Buffer } {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  const secret = Buffer.alloc(signingKeyBytes);
  der.copy(secret, 0, der.length - signingKeyBytes);
  der.fill(0);
  return { publicBytes: rawPublic(publicKey), secret };
}

/** The pair from the 32 bytes of its private half, which the caller overwrites. */
export function signingKeyOf(secret: Uint8Array): SigningKey {
  const der = Buffer.concat([privatePrefix, secret]);
  try {
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return { publicBytes: rawPublic(createPublicKey(privateKey)), privateKey };
  } finally {
    der.fill(0);
  }
}

/** Signs bytes by Ed25519; 64 bytes. */
export function signBytes({ privateKey }: SigningKey, bytes: Uint8Array): Buffer {
  return sign(null, bytes, privateKey);
}

/** Whether a signature of bytes is by the owner of a public half; false for keys and signatures of a wrong form. */
export function isSignedBy(publicBytes: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (publicBytes.length !== signingKeyBytes || signature.length !== 2 * signingKeyBytes) return false;
  try {
    const key = createPublicKey({
      key: Buffer.concat([publicPrefix, publicBytes]),
      format: 'der',
      type: 'spki',
    });
    return verify(null, bytes, key, signature);
  } catch {
    return false; // The bytes are no point of the curve.
  }
}

/** The fingerprint of a public half: `SHA256:` and the digest of its 32 bytes in base64 without padding, as ssh-keygen writes it. */
export function signingFingerprint(publicBytes: Uint8Array): string {
  const digest = createHash('sha256').update(publicBytes).digest('base64');
  return `SHA256:${digest.replace(/=+$/, '')}`;
}

function rawPublic(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length);
}
