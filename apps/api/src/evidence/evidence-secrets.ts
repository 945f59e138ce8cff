import type { EvidenceKeyStore, SealedEvidenceKey } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import {
  generateSigningKey,
  openSealed,
  type SealingKey,
  SecretsError,
  type SigningKey,
  seal,
  sealedKeyId,
  sealingKeyOfSecret,
  signingFingerprint,
  signingKeyOf,
} from '@plimsoll/secrets';
import type { TokenSecrets } from '../auth/user-tokens.ts';

/** The key pair that signs evidence packs. Its private half is stored sealed to a key that is not in the database. */
export interface EvidenceSecrets {
  /** The pair in use; makes the first one. Throws `unavailable` if no key opens its private half. */
  current(): Promise<SigningKey>;
  /** A new pair to be stored, not in use yet. */
  make(): Parameters<EvidenceKeyStore['replace']>[0];
  /** Seals the private half in use to the newest key, so that the older one can go. */
  reseal(): Promise<void>;
}

/** Derives the sealing keys from the secrets that sign tokens, the newest first: only the API has them. */
export function createEvidenceSecrets(
  keys: Pick<EvidenceKeyStore, 'current' | 'begin' | 'reseal'>,
  secrets: TokenSecrets,
): EvidenceSecrets {
  const keyOf = (secret: string): SealingKey => sealingKeyOfSecret(secret, 'evidence signing keys');
  const newest = keyOf(secrets[0]);
  const ring = [newest, ...secrets.slice(1).map(keyOf)];
  const make: EvidenceSecrets['make'] = () => {
    const { publicBytes, secret } = generateSigningKey();
    const fingerprint = signingFingerprint(publicBytes);
    try {
      return { fingerprint, publicBytes, sealed: seal(newest.publicKey, secret, ownerOf(fingerprint)) };
    } finally {
      secret.fill(0);
    }
  };
  return {
    make,
    async current() {
      const stored = (await keys.current()) ?? (await keys.begin(make()));
      const secret = open(ring, stored);
      try {
        return signingKeyOf(secret);
      } finally {
        secret.fill(0);
      }
    },
    async reseal() {
      const stored = await keys.current();
      if (stored === null || sealedKeyId(stored.sealed) === newest.publicKey.keyId) return;
      const secret = open(ring, stored);
      try {
        const box = seal(newest.publicKey, secret, ownerOf(stored.fingerprint));
        await keys.reseal(stored.fingerprint, stored.sealed, box);
      } finally {
        secret.fill(0);
      }
    },
  };
}

function open(ring: readonly SealingKey[], { fingerprint, sealed }: SealedEvidenceKey): Buffer {
  try {
    return openSealed(ring, sealed, ownerOf(fingerprint));
  } catch (cause) {
    if (!(cause instanceof SecretsError)) throw cause;
    throw new AppError(
      'unavailable',
      'Evidence packs cannot be signed: the key api.jwt_secret_key was replaced without keeping the previous one. ' +
        'An admin makes a new signing key: POST /api/v1/evidence/keys.',
      { cause, retryAfterSeconds: 60 },
    );
  }
}

/** A box copied to another row does not open. */
function ownerOf(fingerprint: string): string {
  return `evidence key ${fingerprint}`;
}
