import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';

/** Bytes of either half of an X25519 pair (RFC 7748). */
export const keyBytes = 32;

/** The half that seals. Its owner can make boxes but not open them. */
export interface SealingPublicKey {
  /** The first 8 bytes of SHA-256 of `bytes`, as 16 hexadecimal digits; boxes name their key by it. */
  readonly keyId: string;
  /** The u-coordinate in RFC 7748's encoding, 32 bytes. */
  readonly bytes: Buffer;
}

/** A whole pair: opens what was sealed to its public half. */
export interface SealingKey {
  readonly publicKey: SealingPublicKey;
  /** Leaves the process only to the key ring file. */
  readonly privateKey: KeyObject;
}

/** DER as in RFC 8410: these bytes, then the 32 of the key. */
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex');
const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex');

/** Makes a new pair. */
export function generateSealingKey(): SealingKey {
  const { privateKey, publicKey } = generateKeyPairSync('x25519');
  return { publicKey: sealingPublicKey(rawPublicKey(publicKey)), privateKey };
}

/** The public half from its 32 bytes. */
export function sealingPublicKey(bytes: Uint8Array): SealingPublicKey {
  const own = Buffer.from(bytes);
  return { keyId: createHash('sha256').update(own).digest().toString('hex', 0, 8), bytes: own };
}

/**
 * The pair that belongs to a secret of an app and a purpose: always the same one (HKDF-SHA256, RFC 5869). `secret` has at
 * least 32 bytes that cannot be guessed. Pairs of different purposes tell nothing about each other or the secret.
 */
export function sealingKeyOfSecret(secret: string, purpose: string): SealingKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', `plimsoll sealing key 1 ${purpose}`, keyBytes));
  try {
    return sealingKeyOf(bytes);
  } finally {
    bytes.fill(0);
  }
}

/** The pair from the 32 bytes of its private half, which the caller overwrites. */
export function sealingKeyOf(privateBytes: Uint8Array): SealingKey {
  const der = Buffer.concat([privatePrefix, privateBytes]);
  try {
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return { publicKey: sealingPublicKey(rawPublicKey(createPublicKey(privateKey))), privateKey };
  } finally {
    der.fill(0);
  }
}

/** The 32 bytes of a pair's private half, which the caller overwrites. */
export function rawPrivateKey(privateKey: KeyObject): Buffer {
  const der = privateKey.export({ format: 'der', type: 'pkcs8' });
  try {
    // Its own buffer: small buffers of Buffer.from share memory with others.
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

/** 32 bytes as a key for node:crypto. Any 32 bytes are valid (RFC 7748). */
export function publicKeyObject(bytes: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([publicPrefix, bytes]), format: 'der', type: 'spki' });
}
