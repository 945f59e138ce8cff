import {
  createCipheriv,
  createDecipheriv,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from 'node:crypto';
import {
  keyBytes,
  publicKeyObject,
  rawPublicKey,
  type SealingKey,
  type SealingPublicKey,
} from './sealing-key.ts';
import { SecretsError } from './secrets-error.ts';

/*
 * A box: version (1 byte), key id (8), ephemeral public key (32), ciphertext (as long as the plaintext), tag (16).
 * Key and nonce of AES-256-GCM are HKDF-SHA256 of the X25519 secret, without salt, with the label and both public keys
 * as `info`. Each box has its own ephemeral key, so no key and nonce are used twice. The bytes before the ciphertext
 * and the associated data are authenticated too.
 */
const version = 1;
const keyIdEnd = 9;
const headerEnd = keyIdEnd + keyBytes;
const tagBytes = 16;
const shortest = headerEnd + tagBytes;
const label = Buffer.from('plimsoll sealed record 1');
const cipherName = 'aes-256-gcm';
const cipherKeyBytes = 32;
const nonceBytes = 12;

/**
 * Encrypts `plaintext` so that only the owner of the private half of `publicKey` can decrypt it, and only with the same
 * `associatedData`, which names the box's owner. The caller overwrites the plaintext. Throws SecretsError `weak_key`
 * for a public key of low order, which cannot be sealed to.
 */
export function seal(publicKey: SealingPublicKey, plaintext: Uint8Array, associatedData: string): Buffer {
  const ephemeral = generateKeyPairSync('x25519');
  const ephemeralBytes = rawPublicKey(ephemeral.publicKey);
  const header = Buffer.concat([Buffer.of(version), Buffer.from(publicKey.keyId, 'hex'), ephemeralBytes]);
  const secret = agree(ephemeral.privateKey, publicKey.bytes);
  return withCipherKey(secret, ephemeralBytes, publicKey.bytes, (key, nonce) => {
    const cipher = createCipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
    cipher.setAAD(Buffer.concat([header, encoded(associatedData)]));
    return Buffer.concat([header, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
  });
}

/**
 * Decrypts a box with the key of `ring` that it was sealed to. The caller overwrites the result. Throws
 * SecretsError: `box_malformed`, `unknown_version`, `unknown_key` (no key of the ring has the named id), `weak_key`,
 * or `not_authentic` if the box or the associated data was changed.
 */
export function openSealed(ring: readonly SealingKey[], box: Uint8Array, associatedData: string): Buffer {
  const keyId = sealedKeyId(box);
  const recipient = ring.find(({ publicKey }) => publicKey.keyId === keyId);
  if (recipient === undefined) {
    throw new SecretsError('unknown_key', `The box is sealed to key ${keyId}, which is not in the key ring.`);
  }
  const bytes = Buffer.from(box.buffer, box.byteOffset, box.byteLength);
  const header = bytes.subarray(0, headerEnd);
  const ephemeralBytes = bytes.subarray(keyIdEnd, headerEnd);
  const secret = agree(recipient.privateKey, ephemeralBytes);
  return withCipherKey(secret, ephemeralBytes, recipient.publicKey.bytes, (key, nonce) => {
    const decipher = createDecipheriv(cipherName, key, nonce, { authTagLength: tagBytes });
    decipher.setAAD(Buffer.concat([header, encoded(associatedData)]));
    decipher.setAuthTag(bytes.subarray(bytes.length - tagBytes));
    const plaintext = decipher.update(bytes.subarray(headerEnd, bytes.length - tagBytes));
    try {
      // GCM buffers nothing: `final` only checks.
      decipher.final();
    } catch (cause) {
      plaintext.fill(0);
      throw new SecretsError('not_authentic', 'The sealed box was changed, or belongs to something else.', {
        cause,
      });
    }
    return plaintext;
  });
}

/**
 * The id of the key that a box names; not authenticated before the box is opened. Throws SecretsError
 * `box_malformed` or `unknown_version`.
 */
export function sealedKeyId(box: Uint8Array): string {
  if (box.length < shortest) {
    throw new SecretsError('box_malformed', `A box of ${box.length} bytes is too short to be one.`);
  }
  if (box[0] !== version) {
    throw new SecretsError('unknown_version', `A box of version ${box[0]} needs a newer Plimsoll.`);
  }
  return Buffer.from(box.subarray(1, keyIdEnd)).toString('hex');
}

/** X25519. Refuses public keys of low order, whose shared secret is publicly known (RFC 7748, section 6.1). */
function agree(privateKey: KeyObject, publicBytes: Uint8Array): Buffer {
  let secret: Buffer;
  try {
    secret = diffieHellman({ privateKey, publicKey: publicKeyObject(publicBytes) });
  } catch (cause) {
    throw new SecretsError('weak_key', 'The public key cannot be used for a key agreement.', { cause });
  }
  // OpenSSL has refused it above; another implementation might not.
  if (secret.every((byte) => byte === 0)) {
    throw new SecretsError('weak_key', 'The public key cannot be used for a key agreement.');
  }
  return secret;
}

/** Calls `use` with the derived key and nonce, then overwrites them and the secret. */
function withCipherKey(
  secret: Buffer,
  ephemeral: Uint8Array,
  recipient: Uint8Array,
  use: (key: Buffer, nonce: Buffer) => Buffer,
): Buffer {
  const info = Buffer.concat([label, ephemeral, recipient]);
  const derived = Buffer.from(hkdfSync('sha256', secret, '', info, cipherKeyBytes + nonceBytes));
  try {
    return use(derived.subarray(0, cipherKeyBytes), derived.subarray(cipherKeyBytes));
  } finally {
    secret.fill(0);
    derived.fill(0);
  }
}

/** UTF-8 of well-formed text: several lone surrogates would have the same bytes. */
function encoded(associatedData: string): Buffer {
  const bytes = Buffer.from(associatedData, 'utf8');
  if (bytes.toString('utf8') !== associatedData) throw new TypeError('associated data must be well-formed');
  return bytes;
}
