import { z } from 'zod';
import { empty, json, jsonBody, operationsFor } from '../operation.ts';
import { secondFactorRequiredSchema } from '../second-factor.ts';
import { loginSchema, passwordChangeSchema, setupSchema, signedInSchema, userSchema } from '../user.ts';

const { forViewers, forEveryone } = operationsFor('auth');
const { forSetup } = operationsFor('setup');

const setupStatusSchema = z.strictObject({
  setup_required: z.literal(true),
  setup_code_required: z
    .literal(true)
    .optional()
    .describe('Present if creating the first user requires the code of the setting `api.setup_code`.'),
});

/** Operations that create the first user and sign users in and out. */
export const signInOperations = {
  getSetupStatus: forSetup('get', '/api/v1/setup/status', {
    summary: 'Whether the setup is still required',
    responses: { 200: json(setupStatusSchema, 'No user exists yet.') },
  }),
  completeSetup: forSetup('post', '/api/v1/setup/complete', {
    summary: 'Create the first user, an admin; exactly one of several simultaneous requests succeeds',
    body: jsonBody(setupSchema),
    responses: { 201: { ...json(signedInSchema, 'Created and signed in.'), headers: ['Set-Cookie'] } },
    errors: ['rate_limited'],
    audit: ['setup.completed'],
  }),
  login: forEveryone('post', '/api/v1/auth/login', {
    summary:
      'Sign in; users with a second factor get a challenge for `POST /auth/second-factor` instead of a token',
    body: jsonBody(loginSchema),
    responses: {
      200: {
        ...json(z.union([signedInSchema, secondFactorRequiredSchema]), 'Signed in, or the challenge.'),
        headers: ['Set-Cookie'],
      },
    },
    errors: ['invalid_credentials', 'forbidden', 'rate_limited'],
    audit: ['user.logged_in', 'user.login_failed'],
  }),
  getMe: forViewers('get', '/api/v1/auth/me', {
    summary: 'Who is signed in',
    withoutFactor: true,
    responses: { 200: json(userSchema, 'The user of the token.') },
  }),
  logout: forViewers('post', '/api/v1/auth/logout', {
    summary: 'End the session of this request',
    withoutFactor: true,
    responses: {
      204: { ...empty('The session has ended; a refresh cookie is removed.'), headers: ['Set-Cookie'] },
    },
    audit: ['user.logged_out'],
  }),
  changePassword: forViewers('post', '/api/v1/auth/password', {
    summary: "Change one's own password, which ends every session of the user",
    withoutFactor: true,
    body: jsonBody(passwordChangeSchema),
    responses: { 204: empty('Changed; sign in again.') },
    errors: ['invalid_credentials', 'rate_limited'],
    audit: ['user.password_changed', 'user.login_failed'],
  }),
};
