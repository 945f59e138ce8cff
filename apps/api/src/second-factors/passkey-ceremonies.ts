import type {
  NewCredentialAnswer,
  PasskeyAnswer,
  PasskeyCreationOptions,
  PasskeyRequestOptions,
} from '@plimsoll/contract';
import type { Passkey } from '@plimsoll/db';
import {
  type AuthenticationResponseJSON,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import type { RelyingParty } from './relying-party.ts';

/** Milliseconds that a browser waits for the user. */
const timeout = 4 * 60_000;
const selection = { residentKey: 'preferred', userVerification: 'preferred' } as const;

/** A credential that an authenticator made. */
export type NewCredential = Pick<Passkey, 'credentialId' | 'publicKey' | 'counter' | 'transports'>;

/** The owner of a new passkey, as the authenticator shows it. */
export interface PasskeyOwner {
  readonly id: string;
  readonly email: string;
  readonly name: string;
}

/** What a browser needs to make a passkey for `challenge`. Asks for no attestation: every authenticator is accepted. */
export async function registrationOptions(
  party: RelyingParty,
  challenge: string,
  owner: PasskeyOwner,
  present: readonly Passkey[],
): Promise<PasskeyCreationOptions> {
  const made = await generateRegistrationOptions({
    rpID: party.id,
    rpName: 'Plimsoll',
    userID: new Uint8Array(Buffer.from(owner.id)),
    userName: owner.email,
    userDisplayName: owner.name === '' ? owner.email : owner.name,
    challenge: bytesOf(challenge),
    timeout,
    attestationType: 'none',
    excludeCredentials: present.map(descriptorOf),
    authenticatorSelection: { ...selection },
  });
  return {
    challenge,
    rp: { id: party.id, name: made.rp.name },
    user: made.user,
    pubKeyCredParams: made.pubKeyCredParams.map(({ alg }) => ({ alg, type: 'public-key' })),
    timeout,
    attestation: 'none',
    excludeCredentials: present.map(descriptorOf),
    authenticatorSelection: { ...selection },
  };
}

/** The credential of a browser's answer; null unless the answer is valid for the party and the challenge. */
export async function verifiedRegistration(
  party: RelyingParty,
  challenge: string,
  answer: NewCredentialAnswer,
): Promise<NewCredential | null> {
  const response = answer as RegistrationResponseJSON; // an absent field is never undefined in JSON
  const result = await orNull(() =>
    verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
    }),
  );
  if (result === null || !result.verified) return null;
  const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
  return { credentialId: bytesOf(id), publicKey: new Uint8Array(publicKey), counter, transports };
}

/**
 * What a browser needs to sign `challenge` with one of `passkeys`; without any, with any passkey that the
 * authenticator has for this service, and then the authenticator verifies its user.
 */
export function authenticationOptions(
  party: RelyingParty,
  challenge: string,
  passkeys: readonly Passkey[],
): PasskeyRequestOptions {
  return {
    challenge,
    rpId: party.id,
    timeout,
    userVerification: passkeys.length === 0 ? 'required' : 'preferred',
    allowCredentials: passkeys.map(descriptorOf),
  };
}

/**
 * The authenticator's new signature counter; null unless `passkey` signed `challenge` for this party, with a counter
 * above the stored one if it has one.
 */
export async function verifiedCounter(
  party: RelyingParty,
  challenge: string,
  answer: PasskeyAnswer,
  { passkey, verifiesUser }: { readonly passkey: Passkey; readonly verifiesUser: boolean },
): Promise<number | null> {
  const response = answer as AuthenticationResponseJSON; // an absent field is never undefined in JSON
  const result = await orNull(() =>
    verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: verifiesUser,
      credential: {
        id: textOf(passkey.credentialId),
        publicKey: passkey.publicKey,
        counter: passkey.counter,
      },
    }),
  );
  return result?.verified === true ? result.authenticationInfo.newCounter : null;
}

/** The bytes of a base64url text. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.from(text, 'base64url'));
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64url');
}

function descriptorOf({ credentialId, transports }: Passkey) {
  return { id: textOf(credentialId), type: 'public-key' as const, transports: [...transports] };
}

/** The library throws for every answer that is not valid; the input is a client's. */
async function orNull<T>(verify: () => Promise<T>): Promise<T | null> {
  try {
    return await verify();
  } catch {
    return null;
  }
}
