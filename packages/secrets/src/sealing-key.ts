import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';

/** Bytes of either half of an X25519 pair (RFC 7748). */
export const keyBytes = 32;

/** The half that seals. Whoever has it can make records, and open none. */
export interface SealingPublicKey {
  /** The first 8 bytes of SHA-256 of `bytes`, as 16 hexadecimal digits: what records name their key by. */
  readonly keyId: string;
  /** The u-coordinate as RFC 7748 writes it, 32 bytes. */
  readonly bytes: Buffer;
}

/** A whole pair: opens what was sealed to its public half. */
export interface SealingKey {
  readonly publicKey: SealingPublicKey;
  /** Never leaves the process but into the key ring file. */
  readonly privateKey: KeyObject;
}

/** DER as RFC 8410 has it: these bytes, then the 32 of the key. */
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex');
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** Makes a new pair. */
export function generateSealingKey(): SealingKey {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  return { publicKey: sealingPublicKey(rawPublicKey(publicKey)), privateKey };
}

/** The public half out of its 32 bytes. */
export function sealingPublicKey(bytes: Uint8Array): SealingPublicKey {
  const own = Buffer.from(bytes);
  return { keyId: createHash('sha256').update(own).digest().toString('hex', 0, 8), bytes: own };
}

/** The pair out of the 32 bytes of its private half, which stay the caller's to overwrite. */
export function sealingKeyOf(privateBytes: Uint8Array): SealingKey {
  const der = Buffer.concat([privatePrefix, privateBytes]);
  try {
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return { publicKey: sealingPublicKey(rawPublicKey(createPublicKey(privateKey))), privateKey };
  } finally {
    der.fill(0);
  }
}

/** The 32 bytes of a pair's private half, for the caller to overwrite. */
export function rawPrivateKey(privateKey: KeyObject): Buffer {
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  try {
    // A buffer of its own: the small ones of Buffer.from share memory with strangers.
    const bytes = Buffer.alloc(keyBytes);
    der.copy(bytes, 0, der.length - keyBytes);
    return bytes;
  } finally {
    der.fill(0);
  }
}

/** The 32 bytes of a public key. */
export function rawPublicKey(publicKey: KeyObject): Buffer {
  return publicKey.export({ format: 'der', type: 'spki' }).subarray(publicPrefix.length);
}

/** 32 bytes as the key that node:crypto computes with. Every 32 bytes are one (RFC 7748). */
export function publicKeyObject(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' });
}
