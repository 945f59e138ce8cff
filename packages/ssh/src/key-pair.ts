import { generateKeyPairSync } from 'node:crypto';

/** An ed25519 key pair as raw bytes (RFC 8032): 32 bytes each. The seed is the private half. */
export interface KeyPair {
  readonly publicKey: Buffer;
  readonly seed: Buffer;
}

/** In both DER forms of an ed25519 key (RFC 8410) the raw key is what stands last. */
const rawBytes = 32;

/**
 * Makes a new pair. The caller overwrites `seed` with zeros once it is sealed; every other buffer that held it is
 * overwritten here, and nothing private was ever in a string.
 */
export function generateKeyPair(): KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  try {
    return { publicKey: copyOfEnd(publicKey), seed: copyOfEnd(privateKey) };
  } finally {
    privateKey.fill(0);
  }
}

/** Memory of its own: a pooled buffer would leave the seed in memory that other buffers share. */
function copyOfEnd(der: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(rawBytes);
  der.copy(copy, 0, der.length - rawBytes);
  return copy;
}
