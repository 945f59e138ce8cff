import type { PasskeyAnswer, SecondFactorMethod } from '@plimsoll/contract';
import type { PasskeyStore, SecondFactorStore, TotpStore, User } from '@plimsoll/db';
import { provedStep } from './authenticator-app.ts';
import type { FactorSecrets } from './factor-secrets.ts';
import { bytesOf, verifiedCounter } from './passkey-ceremonies.ts';
import { recoveryDigest } from './recovery-codes.ts';
import { passkeyPlaceOf } from './relying-party.ts';

/** What a user gives to prove a second factor: one of them. */
export interface FactorProof {
  readonly totp?: string | undefined;
  readonly recovery_code?: string | undefined;
  readonly passkey?: PasskeyAnswer | undefined;
}

/** What checking a proof reads and changes. */
interface ProofServices {
  readonly stores: {
    readonly totp: Pick<TotpStore, 'find' | 'takeStep'>;
    readonly passkeys: Pick<PasskeyStore, 'findByCredential' | 'noteUse'>;
    readonly secondFactors: Pick<SecondFactorStore, 'useRecoveryCode'>;
  };
  readonly factorSecrets: FactorSecrets;
  readonly settings: { readonly publicUrl: string | null };
  clock(): Date;
}

/**
 * The method by which a user proved a second factor; null if the proof is wrong. A code is used up by that: a time step
 * of an authenticator app and a recovery code are accepted once. A passkey must have signed `challenge`.
 */
export async function proveFactor(
  user: User,
  { totp, recovery_code, passkey }: FactorProof,
  challenge: string | null,
  services: ProofServices,
): Promise<SecondFactorMethod | null> {
  if (totp !== undefined) return (await proveApp(user.id, totp, services)) ? 'totp' : null;
  if (recovery_code !== undefined) {
    const digest = recoveryDigest(user.id, recovery_code);
    const isRight = await services.stores.secondFactors.useRecoveryCode(user.id, digest);
    return isRight ? 'recovery_code' : null;
  }
  if (passkey === undefined || challenge === null) return null;
  const owner = await provePasskey(passkey, { challenge, verifiesUser: false }, services);
  return owner === user.id ? 'passkey' : null;
}

async function proveApp(
  userId: string,
  code: string,
  { stores, factorSecrets, clock }: ProofServices,
): Promise<boolean> {
  const stored = await stores.totp.find(userId);
  if (stored === null || stored.confirmedAt === null) return false;
  const secret = factorSecrets.open(userId, stored.sealed);
  try {
    const step = provedStep(secret, code, clock());
    return step !== null && (await stores.totp.takeStep(userId, step));
  } finally {
    secret.fill(0);
  }
}

/** The id of the user whose passkey signed a challenge; null if none did. */
export async function provePasskey(
  answer: PasskeyAnswer,
  { challenge, verifiesUser }: { readonly challenge: string; readonly verifiesUser: boolean },
  { stores, settings }: Pick<ProofServices, 'stores' | 'settings'>,
): Promise<string | null> {
  const { party } = passkeyPlaceOf(settings.publicUrl);
  if (party === null) return null;
  const passkey = await stores.passkeys.findByCredential(bytesOf(answer.id));
  if (passkey === null) return null;
  const counter = await verifiedCounter(party, challenge, answer, { passkey, verifiesUser });
  if (counter === null || !(await stores.passkeys.noteUse(passkey.id, counter))) return null;
  return passkey.userId;
}
