import type { Passkey as PasskeyAnswer } from '@plimsoll/contract';
import type { Passkey } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { needsFactor } from '../../auth/require-proof.ts';
import { auditActorOf } from '../../auth/signed-in-user.ts';
import { validationFailed } from '../../http/request-fields.ts';
import { appSecretTexts, newAppSecret, provedStep } from '../../second-factors/authenticator-app.ts';
import { makeChallenge, openChallenge } from '../../second-factors/challenges.ts';
import { registrationOptions, verifiedRegistration } from '../../second-factors/passkey-ceremonies.ts';
import { newRecoveryCodes, recoveryDigest } from '../../second-factors/recovery-codes.ts';
import { passkeyPlaceOf, requireParty } from '../../second-factors/relying-party.ts';
import type { Handler } from '../operation-request.ts';

/** GET /auth/second-factor */
export const getSecondFactor: Handler<'getSecondFactor'> = async (
  { caller: { user } },
  { stores, settings },
) => {
  const [totp, passkeys, codes, issuers] = await Promise.all([
    stores.totp.find(user.id),
    stores.passkeys.list(user.id),
    stores.secondFactors.countRecoveryCodes(user.id),
    stores.identities.issuersOf([user.id]),
  ]);
  const { oidc } = settings;
  const body = {
    required: needsFactor(user.role, settings),
    totp_confirmed_at: totp?.confirmedAt?.toISOString() ?? null,
    passkeys: passkeys.map(passkeyAnswer),
    recovery_codes_left: codes,
    passkeys_refused: passkeyPlaceOf(settings.publicUrl).refused,
    has_password: user.passwordHash !== null,
    single_sign_on: oidc !== null && issuers.get(user.id) === oidc.issuer ? oidc.buttonLabel : null,
  };
  return { kind: 'json', status: 200, body };
};

/** POST /auth/totp */
export const setUpTotp: Handler<'setUpTotp'> = async (
  { caller: { user }, origin },
  { stores, factorSecrets },
) => {
  const secret = newAppSecret();
  try {
    await stores.totp.begin(user.id, factorSecrets.seal(user.id, secret));
    const issuer = `Plimsoll ${new URL(origin).hostname}`;
    return { kind: 'json', status: 201, body: appSecretTexts(secret, { email: user.email, issuer }) };
  } finally {
    secret.fill(0);
  }
};

/** POST /auth/totp/confirm */
export const confirmTotp: Handler<'confirmTotp'> = async (request, services) => {
  const { stores, factorSecrets, factorLimiter, clock } = services;
  const { user, session } = request.caller;
  const stored = await stores.totp.find(user.id);
  if (stored === null || stored.confirmedAt !== null) {
    throw new AppError(
      'conflict',
      'No authenticator app waits for its first code. Begin with POST /auth/totp.',
    );
  }
  const attempt = await factorLimiter.attempt(user.email);
  const secret = factorSecrets.open(user.id, stored.sealed);
  const step = provedStep(secret, request.body.code, clock());
  secret.fill(0);
  if (step === null) {
    throw validationFailed([
      { pointer: '/code', detail: 'is not what the app shows now. Check the clock of its device' },
    ]);
  }
  await attempt.succeeded();
  const codes = newRecoveryCodes();
  const recoveryDigests = codes.map((code) => recoveryDigest(user.id, code));
  const proved = { sealed: stored.sealed, step, recoveryDigests, session: session.id };
  const isFirst = await stores.totp.confirm(user.id, proved, auditActorOf(request));
  return { kind: 'json', status: 200, body: { recovery_codes: isFirst ? [...codes] : null } };
};

/** DELETE /auth/totp */
export const removeTotp: Handler<'removeTotp'> = async (request, { stores, settings }) => {
  const { user } = request.caller;
  const mustKeepOne = needsFactor(user.role, settings);
  if (!(await stores.totp.remove(user.id, mustKeepOne, auditActorOf(request)))) {
    throw new AppError('not_found', 'You have no authenticator app.');
  }
  return { kind: 'empty', status: 204 };
};

/** POST /auth/recovery-codes */
export const makeRecoveryCodes: Handler<'makeRecoveryCodes'> = async (request, { stores }) => {
  const { user } = request.caller;
  const codes = newRecoveryCodes();
  const digests = codes.map((code) => recoveryDigest(user.id, code));
  await stores.secondFactors.replaceRecoveryCodes(user.id, digests, auditActorOf(request));
  return { kind: 'json', status: 200, body: { recovery_codes: [...codes] } };
};

/** POST /auth/passkeys/options */
export const getPasskeyOptions: Handler<'getPasskeyOptions'> = async (
  { caller: { user } },
  { stores, settings },
) => {
  const party = requireParty(passkeyPlaceOf(settings.publicUrl));
  const present = await stores.passkeys.list(user.id);
  const { challenge } = await makeChallenge(stores.challenges, 'passkey_registration', user);
  const options = await registrationOptions(party, challenge, user, present);
  return { kind: 'json', status: 200, body: { options } };
};

/** POST /auth/passkeys */
export const addPasskey: Handler<'addPasskey'> = async (request, { stores, settings }) => {
  const { name, challenge, credential } = request.body;
  const { user, session } = request.caller;
  const party = requireParty(passkeyPlaceOf(settings.publicUrl));
  const open = await openChallenge(stores.challenges, 'passkey_registration', challenge);
  const made = open.owner?.id === user.id ? await verifiedRegistration(party, challenge, credential) : null;
  if (made === null) {
    throw validationFailed([
      { pointer: '/credential', detail: `was not made for ${party.origin} and this challenge` },
    ]);
  }
  await open.consume();
  const codes = newRecoveryCodes();
  const { passkey, isFirstFactor } = await stores.passkeys.add(
    { ...made, userId: user.id, name },
    { recoveryDigests: codes.map((code) => recoveryDigest(user.id, code)), session: session.id },
    auditActorOf(request),
  );
  const body = { passkey: passkeyAnswer(passkey), recovery_codes: isFirstFactor ? [...codes] : null };
  return { kind: 'json', status: 201, body };
};

/** DELETE /auth/passkeys/{id} */
export const removePasskey: Handler<'removePasskey'> = async (request, { stores, settings }) => {
  const { user } = request.caller;
  const mustKeepOne = needsFactor(user.role, settings);
  const { id } = request.params;
  if (!(await stores.passkeys.remove(user.id, id, mustKeepOne, auditActorOf(request)))) {
    throw new AppError('not_found', 'You have no passkey with this id.');
  }
  return { kind: 'empty', status: 204 };
};

function passkeyAnswer({ id, name, createdAt, lastUsedAt }: Passkey): PasskeyAnswer {
  return {
    id,
    name,
    created_at: createdAt.toISOString(),
    last_used_at: lastUsedAt?.toISOString() ?? null,
  };
}
