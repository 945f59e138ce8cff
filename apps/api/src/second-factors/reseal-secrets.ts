import type { TotpStore } from '@plimsoll/db';
import type { Logger } from '@plimsoll/process';
import type { FactorSecrets } from './factor-secrets.ts';

/**
 * Seals the secrets of authenticator apps that an older key sealed to the newest one, so that the older key can go.
 * Concurrent calls are safe. Logs secrets that no key opens, and an unreachable database; never rejects.
 */
export async function resealAppSecrets(
  store: Pick<TotpStore, 'listSealed' | 'reseal'>,
  secrets: FactorSecrets,
  log: Logger,
): Promise<void> {
  try {
    const old = (await store.listSealed()).filter(({ sealed }) => !secrets.isCurrent(sealed));
    for (const { userId, sealed } of old) await reseal(store, secrets, { userId, sealed }, log);
    if (old.length > 0) log.info({ users: old.length }, 'secrets of authenticator apps were sealed again');
  } catch (error) {
    log.warn(
      { err: error },
      'cannot seal the secrets of authenticator apps again; the next start tries again',
    );
  }
}

async function reseal(
  store: Pick<TotpStore, 'reseal'>,
  secrets: FactorSecrets,
  { userId, sealed }: { readonly userId: string; readonly sealed: Uint8Array<ArrayBuffer> },
  log: Logger,
): Promise<void> {
  let secret: Buffer;
  try {
    secret = secrets.open(userId, sealed);
  } catch (error) {
    log.warn(
      { err: error, userId },
      'no key opens the authenticator app of this user; reset the second factor',
    );
    return;
  }
  try {
    await store.reseal(userId, sealed, secrets.seal(userId, secret));
  } finally {
    secret.fill(0);
  }
}
