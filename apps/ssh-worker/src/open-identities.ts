import type { SealedKeyPair } from '@plimsoll/db';
import type { KeyRing } from '@plimsoll/secrets';
import type { KeyPair } from '@plimsoll/ssh';

/**
 * Decrypts key pairs for the duration of `work` and overwrites their private halves afterwards. Throws SecretsError if
 * one cannot be decrypted.
 */
export async function withIdentities<T>(
  ring: KeyRing,
  pairs: readonly SealedKeyPair[],
  work: (identities: readonly KeyPair[]) => Promise<T>,
): Promise<T> {
  const identities: KeyPair[] = [];
  try {
    for (const { id, publicKey, sealed } of pairs) {
      identities.push({ publicKey, seed: await ring.open(sealed, id) });
    }
    return await work(identities);
  } finally {
    for (const { seed } of identities) seed.fill(0);
  }
}
