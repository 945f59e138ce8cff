import type { SecondFactorMethod, SecondFactorRequired } from '@plimsoll/contract';
import type { User } from '@plimsoll/db';
import { AppError } from '@plimsoll/model';
import { requireLocalAccounts } from '../../auth/local-accounts.ts';
import { auditActorOf, type Origin, userActor } from '../../auth/signed-in-user.ts';
import { startSession } from '../../auth/start-session.ts';
import type { ApiServices } from '../../context.ts';
import { makeChallenge, openChallenge, requireOwner } from '../../second-factors/challenges.ts';
import { authenticationOptions } from '../../second-factors/passkey-ceremonies.ts';
import { type FactorProof, proveFactor, provePasskey } from '../../second-factors/prove-factor.ts';
import { passkeyPlaceOf, requireParty } from '../../second-factors/relying-party.ts';
import type { Handler } from '../operation-request.ts';

/** The answer to a right password of a user with a second factor: a challenge instead of a token. */
export async function askSecondFactor(
  user: User,
  { stores, settings }: ApiServices,
): Promise<SecondFactorRequired> {
  const { challenge, expiresAt } = await makeChallenge(stores.challenges, 'second_factor', user);
  const [totp, passkeys, codes] = await Promise.all([
    stores.totp.find(user.id),
    stores.passkeys.list(user.id),
    stores.secondFactors.countRecoveryCodes(user.id),
  ]);
  const { party } = passkeyPlaceOf(settings.publicUrl);
  const passkeyOptions =
    party === null || passkeys.length === 0 ? null : authenticationOptions(party, challenge, passkeys);
  const methods: SecondFactorMethod[] = [
    ...(totp !== null && totp.confirmedAt !== null ? (['totp'] as const) : []),
    ...(passkeyOptions === null ? [] : (['passkey'] as const)),
    ...(codes > 0 ? (['recovery_code'] as const) : []),
  ];
  return {
    second_factor_required: true,
    challenge,
    expires_at: expiresAt.toISOString(),
    methods,
    passkey_options: passkeyOptions,
  };
}

/** POST /auth/second-factor */
export const answerSecondFactor: Handler<'answerSecondFactor'> = async (request, services) => {
  const { challenge, refresh_cookie: wantsCookie = false, ...proof } = request.body;
  const open = await openChallenge(services.stores.challenges, 'second_factor', challenge);
  const user = await requireOwner(open, services.stores.users);
  await requireFactor(user, { proof, challenge }, request, services);
  await open.consume();
  const started = await startSession({ user, method: 'second_factor', wantsCookie }, request, services);
  return { kind: 'json', status: 200, ...started };
};

/**
 * Checks a proof of a user's second factor, under the limit of the account. Throws `invalid_credentials` for a wrong one
 * and `rate_limited` after too many; both wrong answers and used recovery codes are in the audit log.
 */
export async function requireFactor(
  user: User,
  { proof, challenge }: { readonly proof: FactorProof; readonly challenge: string | null },
  origin: Origin,
  services: ApiServices,
): Promise<SecondFactorMethod> {
  const attempt = await services.factorLimiter.attempt(user.email);
  const method = await proveFactor(user, proof, challenge, services);
  if (method === null) throw await wrongFactor(user, origin, services);
  await attempt.succeeded();
  if (method === 'recovery_code') {
    const left = await services.stores.secondFactors.countRecoveryCodes(user.id);
    await noteOf(user, 'user.recovery_code_used', origin, services, { left });
  }
  return method;
}

async function wrongFactor(user: User, origin: Origin, services: ApiServices): Promise<AppError> {
  await noteOf(user, 'user.second_factor_failed', origin, services);
  return new AppError(
    'invalid_credentials',
    'The second factor is wrong. Each code is accepted once: wait for the next one of the app.',
  );
}

async function noteOf(
  user: User,
  action: 'user.second_factor_failed' | 'user.recovery_code_used',
  origin: Origin,
  { stores }: ApiServices,
  details: Readonly<Record<string, number>> = {},
): Promise<void> {
  await stores.audit.note({
    action,
    actor: userActor(user.id, user.email, origin),
    target: { kind: 'user', id: user.id, name: user.email },
    details,
  });
}

/** POST /auth/passkeys/sign-in/options */
export const getPasskeySignInOptions: Handler<'getPasskeySignInOptions'> = async (
  { address },
  { stores, settings, factorLimiter },
) => {
  const party = requireParty(passkeyPlaceOf(settings.publicUrl));
  await factorLimiter.countChallenge(address);
  const { challenge } = await makeChallenge(stores.challenges, 'passkey_sign_in', null);
  return {
    kind: 'json',
    status: 200,
    body: { options: authenticationOptions(party, challenge, []) },
  };
};

/** POST /auth/passkeys/sign-in. The authenticator must have verified its user, so that this proves two factors. */
export const signInWithPasskey: Handler<'signInWithPasskey'> = async (request, services) => {
  const { challenge, passkey, refresh_cookie: wantsCookie = false } = request.body;
  const { stores, settings } = services;
  requireParty(passkeyPlaceOf(settings.publicUrl));
  const open = await openChallenge(stores.challenges, 'passkey_sign_in', challenge);
  const userId = await provePasskey(passkey, { challenge, verifiesUser: true }, services);
  const user = userId === null ? null : await stores.users.findById(userId);
  if (user === null || user.disabledAt !== null || isWithdrawn(user)) {
    throw new AppError('invalid_credentials', 'This passkey cannot sign in here.');
  }
  await requireLocalAccounts(user, services);
  await open.consume();
  const started = await startSession({ user, method: 'passkey', wantsCookie }, request, services);
  return { kind: 'json', status: 200, ...started };
};

/** Whether a user without a password has lost the access that the provider gave. Passkeys then do not work either. */
function isWithdrawn({ accessWithdrawnAt, passwordHash }: User): boolean {
  return accessWithdrawnAt !== null && passwordHash === null;
}

/** POST /auth/reauthenticate/options */
export const getReauthenticationOptions: Handler<'getReauthenticationOptions'> = async (
  { caller: { user } },
  { stores, settings },
) => {
  const party = requireParty(passkeyPlaceOf(settings.publicUrl));
  const passkeys = await stores.passkeys.list(user.id);
  if (passkeys.length === 0) throw new AppError('conflict', 'You have no passkey.');
  const { challenge } = await makeChallenge(stores.challenges, 'reauthentication', user);
  const options = authenticationOptions(party, challenge, passkeys);
  return { kind: 'json', status: 200, body: { options } };
};

/** POST /auth/reauthenticate. Users with a second factor must send it; the password is for users without one. */
export const reauthenticate: Handler<'reauthenticate'> = async (request, services) => {
  const { password, challenge = null, ...proof } = request.body;
  const { stores } = services;
  const { user, session } = request.caller;
  let method = 'password';
  if (password !== undefined) {
    // Otherwise a stolen session and the password could remove the factor.
    if (user.secondFactorAt !== null) {
      throw new AppError('conflict', 'Your account has a second factor: send that instead of the password.');
    }
    await requirePassword(user, password, request, services);
  } else {
    const open =
      challenge === null ? null : await openChallenge(stores.challenges, 'reauthentication', challenge);
    if (open !== null && open.owner?.id !== user.id) {
      throw new AppError('invalid_credentials', 'The challenge was made for another user.');
    }
    method = await requireFactor(user, { proof, challenge }, request, services);
    await open?.consume();
  }
  await stores.sessions.noteReauthentication(session.id, method, auditActorOf(request));
  return { kind: 'empty', status: 204 };
};

async function requirePassword(
  user: User,
  password: string,
  origin: Origin,
  { stores, passwords, loginLimiter }: ApiServices,
): Promise<void> {
  const attempt = await loginLimiter.attempt({
    secret: 'password-change',
    email: user.email,
    address: origin.address,
  });
  if (!(await passwords.verify(password, user.passwordHash))) {
    await stores.audit.noteFailedLogin(userActor(null, user.email, origin), user.id);
    throw new AppError('invalid_credentials', 'The password is wrong.');
  }
  await attempt.succeeded();
}
