import { newId, type SealedKeyPair } from '@plimsoll/db';
import { AppError, type SshKeyPairId } from '@plimsoll/model';
import { readSealingPublicKey, type SealingPublicKey, SecretsError, seal } from '@plimsoll/secrets';
import { generateKeyPair } from '@plimsoll/ssh';

/** Retry-After for a setup task of the operator, in seconds. */
const retrySeconds = 60;

/**
 * Makes a key pair and seals the private half to the ssh-worker, so that only the ssh-worker can read it. Throws
 * `unavailable` without a key to seal to.
 */
export async function newKeyPair(sealingPublicKeyFile: string | null): Promise<SealedKeyPair> {
  if (sealingPublicKeyFile === null) {
    throw unavailable('Private keys cannot be sealed: the setting ssh.sealing_public_key_file is not set.');
  }
  try {
    // Read for each pair: a rotation changes the file.
    return sealedKeyPair(await readSealingPublicKey(sealingPublicKeyFile));
  } catch (error) {
    if (!(error instanceof SecretsError)) throw error;
    const detail =
      'Private keys cannot be sealed: the file that the setting ssh.sealing_public_key_file names cannot be used. The log says why.';
    throw unavailable(detail, error);
  }
}

function sealedKeyPair(sealingKey: SealingPublicKey): SealedKeyPair {
  const { publicKey, seed } = generateKeyPair();
  try {
    const id = newId<SshKeyPairId>();
    return { id, publicKey, sealed: seal(sealingKey, seed, id), sealedTo: sealingKey.keyId };
  } finally {
    seed.fill(0);
  }
}

function unavailable(detail: string, cause?: unknown): AppError {
  return new AppError('unavailable', detail, { cause, retryAfterSeconds: retrySeconds });
}
