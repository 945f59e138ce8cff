import { generateKeyPairSync } from 'node:crypto';

/** An ed25519 key pair as raw bytes (RFC 8032): 32 bytes each. The seed is the private half. */
export interface KeyPair {
  readonly publicKey: Buffer;
  readonly seed: Buffer;
}

/** In both DER forms of an ed25519 key (RFC 8410) the raw key comes last. */
const rawBytes = 32;

/**
 * Makes a new pair. The caller overwrites `seed` with zeros once it is sealed; all other buffers that held it are
 * overwritten here, and no private data was ever in a string.
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

/** Its own memory: a pooled buffer would leave the seed in memory shared with other buffers. */
function copyOfEnd(der: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(rawBytes);
  der.copy(copy, 0, der.length - rawBytes);
  return copy;
}
