import { AppError } from '@plimsoll/model';
import {
  openSealed,
  type SealingKey,
  SecretsError,
  seal,
  sealedKeyId,
  sealingKeyOfSecret,
} from '@plimsoll/secrets';
import type { TokenSecrets } from '../auth/user-tokens.ts';

/** Seals the secrets of authenticator apps to keys that are not in the database. */
export interface FactorSecrets {
  /** The stored form of a user's secret. */
  seal(userId: string, secret: Uint8Array): Uint8Array<ArrayBuffer>;
  /** The secret in a box of this user; the caller overwrites it. Throws `unavailable` if no key opens the box. */
  open(userId: string, box: Uint8Array): Buffer;
  /** Whether a box is sealed to the newest key. */
  isCurrent(box: Uint8Array): boolean;
}

/** Derives the keys from the secrets that sign tokens, the newest first: only the API has them. */
export function createFactorSecrets(secrets: TokenSecrets): FactorSecrets {
  const keyOf = (secret: string): SealingKey => sealingKeyOfSecret(secret, 'authenticator apps');
  const newest = keyOf(secrets[0]);
  const ring = [newest, ...secrets.slice(1).map(keyOf)];
  return {
    seal: (userId, secret) => new Uint8Array(seal(newest.publicKey, secret, ownerOf(userId))),
    open(userId, box) {
      try {
        return openSealed(ring, box, ownerOf(userId));
      } catch (cause) {
        if (!(cause instanceof SecretsError)) throw cause;
        throw new AppError(
          'unavailable',
          'Codes of authenticator apps cannot be checked: the key api.jwt_secret_key was replaced without keeping the ' +
            'previous one. Use a recovery code or a passkey, or ask an admin to reset your second factor.',
          { cause, retryAfterSeconds: 60 },
        );
      }
    },
    isCurrent: (box) => sealedKeyId(box) === newest.publicKey.keyId,
  };
}

/** A box copied to another user's row does not open. */
function ownerOf(userId: string): string {
  return `authenticator app of user ${userId}`;
}
