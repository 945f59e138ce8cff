import { createPrivateKey, sign } from 'node:crypto';
import type { ParsedKey } from 'ssh2';
import ssh2 from 'ssh2';
import type { KeyPair } from './key-pair.ts';
import { publicKeyBlob } from './public-key.ts';

/** The bytes before the raw seed in the PKCS#8 form of an ed25519 key (RFC 8410, section 7). */
const pkcs8Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/**
 * A key pair in ssh2's form for a login. ssh2 gets only the public half and asks for signatures; it would convert a
 * private key to text, which stays in memory until after its collection. Throws RangeError for halves of the wrong
 * length.
 */
export function createIdentity({ publicKey, seed }: KeyPair): ParsedKey {
  if (seed.length !== 32) throw new RangeError('the seed of an ed25519 key has 32 bytes');
  const parsed = ssh2.utils.parseKey(`ssh-ed25519 ${publicKeyBlob(publicKey).toString('base64')}`);
  if (parsed instanceof Error) throw parsed;
  const der = Buffer.concat([pkcs8Head, seed]);
  try {
    const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
    return Object.assign(parsed, {
      isPrivateKey: () => true,
      sign: (data: Buffer | string) => sign(null, Buffer.from(data), privateKey),
    });
  } finally {
    der.fill(0);
  }
}
