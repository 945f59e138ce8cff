import { z } from 'zod';
import { id } from '../field-types.ts';
import { empty, json, jsonBody, operationsFor } from '../operation.ts';
import {
  newPasskeySchema,
  passkeyAddedSchema,
  passkeyCreationSchema,
  passkeySignInSchema,
  passkeyUseSchema,
  reauthenticationSchema,
  recoveryCodesSchema,
  secondFactorSchema,
  secondFactorStateSchema,
  totpConfirmationSchema,
  totpConfirmedSchema,
  totpSetupSchema,
} from '../second-factor.ts';
import { signedInSchema } from '../user.ts';

const { forViewers, forEveryone } = operationsFor('auth');
/** A signed-in user may call it without a second factor: this is how to get one. */
const own = { withoutFactor: true } as const;
const noChange = 'Only makes a challenge, which ends by itself.';

/** Operations on a user's own second factors, and the second step of a sign-in. */
export const secondFactorOperations = {
  answerSecondFactor: forEveryone('post', '/api/v1/auth/second-factor', {
    summary: 'The second step of a sign-in: a code of an authenticator app, a recovery code or a passkey',
    body: jsonBody(secondFactorSchema),
    responses: { 200: { ...json(signedInSchema, 'Signed in.'), headers: ['Set-Cookie'] } },
    errors: ['invalid_credentials', 'rate_limited'],
    audit: ['user.logged_in', 'user.second_factor_failed', 'user.recovery_code_used'],
  }),
  getPasskeySignInOptions: forEveryone('post', '/api/v1/auth/passkeys/sign-in/options', {
    summary: 'A challenge for a sign-in with a passkey alone',
    responses: { 200: json(passkeyUseSchema, 'For `navigator.credentials.get()`.') },
    errors: ['conflict', 'rate_limited'],
    unaudited: noChange,
  }),
  signInWithPasskey: forEveryone('post', '/api/v1/auth/passkeys/sign-in', {
    summary: 'Sign in with a passkey alone, whose authenticator verified its user',
    body: jsonBody(passkeySignInSchema),
    responses: { 200: { ...json(signedInSchema, 'Signed in.'), headers: ['Set-Cookie'] } },
    errors: ['invalid_credentials', 'forbidden', 'conflict', 'rate_limited'],
    audit: ['user.logged_in', 'user.second_factor_failed'],
  }),
  reauthenticate: forViewers('post', '/api/v1/auth/reauthenticate', {
    ...own,
    summary: 'Prove oneself again in the present session, for operations that need it',
    body: jsonBody(reauthenticationSchema),
    responses: { 204: empty('The session may call these operations for some minutes.') },
    errors: ['invalid_credentials', 'rate_limited', 'conflict'],
    audit: [
      'user.reauthenticated',
      'user.login_failed',
      'user.second_factor_failed',
      'user.recovery_code_used',
    ],
  }),
  getReauthenticationOptions: forViewers('post', '/api/v1/auth/reauthenticate/options', {
    ...own,
    summary: 'A challenge to prove oneself again with a passkey',
    responses: { 200: json(passkeyUseSchema, 'For `navigator.credentials.get()`.') },
    errors: ['conflict'],
    unaudited: noChange,
  }),
  getSecondFactor: forViewers('get', '/api/v1/auth/second-factor', {
    ...own,
    summary: "One's own second factors",
    responses: { 200: json(secondFactorStateSchema, 'The factors.') },
  }),
  setUpTotp: forViewers('post', '/api/v1/auth/totp', {
    ...own,
    summary: 'Make the secret of an authenticator app; it counts once a code confirms it',
    recent: true,
    responses: { 201: json(totpSetupSchema, 'The secret, shown this once.') },
    errors: ['conflict'],
    unaudited: 'Has no effect before a code confirms it.',
  }),
  confirmTotp: forViewers('post', '/api/v1/auth/totp/confirm', {
    ...own,
    summary:
      'Confirm an authenticator app with its first code; the first factor ends the other sessions of the user',
    recent: true,
    body: jsonBody(totpConfirmationSchema),
    responses: { 200: json(totpConfirmedSchema, 'The app is set up.') },
    errors: ['conflict', 'rate_limited'],
    audit: ['user.totp_added'],
  }),
  removeTotp: forViewers('delete', '/api/v1/auth/totp', {
    ...own,
    summary: 'Remove the authenticator app; with the last factor the recovery codes go too',
    recent: true,
    responses: { 204: empty('Removed.') },
    errors: ['not_found', 'conflict'],
    audit: ['user.totp_removed'],
  }),
  makeRecoveryCodes: forViewers('post', '/api/v1/auth/recovery-codes', {
    ...own,
    summary: 'Make new recovery codes; those before end',
    recent: true,
    responses: { 200: json(recoveryCodesSchema, 'The codes.') },
    errors: ['conflict'],
    audit: ['user.recovery_codes_made'],
  }),
  getPasskeyOptions: forViewers('post', '/api/v1/auth/passkeys/options', {
    ...own,
    summary: 'A challenge for a new passkey',
    recent: true,
    responses: { 200: json(passkeyCreationSchema, 'For `navigator.credentials.create()`.') },
    errors: ['conflict'],
    unaudited: noChange,
  }),
  addPasskey: forViewers('post', '/api/v1/auth/passkeys', {
    ...own,
    summary: 'Add a passkey; the first factor ends the other sessions of the user',
    recent: true,
    body: jsonBody(newPasskeySchema),
    responses: { 201: json(passkeyAddedSchema, 'Added.') },
    errors: ['conflict', 'invalid_credentials'],
    audit: ['user.passkey_added'],
  }),
  removePasskey: forViewers('delete', '/api/v1/auth/passkeys/{id}', {
    ...own,
    summary: 'Remove a passkey; with the last factor the recovery codes go too',
    recent: true,
    params: z.strictObject({ id }),
    responses: { 204: empty('Removed.') },
    errors: ['conflict'],
    audit: ['user.passkey_removed'],
  }),
};
