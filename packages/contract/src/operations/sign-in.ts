import { z } from 'zod';
import { defineOperation, empty, json, jsonBody, operationsFor } from '../operation.ts';
import { secondFactorRequiredSchema } from '../second-factor.ts';
import { loginSchema, passwordChangeSchema, setupSchema, signedInSchema, userSchema } from '../user.ts';

const { forViewers } = operationsFor('auth');

const setupStatusSchema = z.strictObject({
  setup_required: z.literal(true),
  setup_code_required: z
    .literal(true)
    .optional()
    .describe('Present if creating the first user requires the code of the setting `api.setup_code`.'),
});

/** Operations that create the first user and sign users in and out. */
export const signInOperations = {
  getSetupStatus: defineOperation({
    method: 'get',
    path: '/api/v1/setup/status',
    summary: 'Whether the setup is still required',
    tag: 'setup',
    auth: 'setup',
    responses: { 200: json(setupStatusSchema, 'No user exists yet.') },
  }),
  completeSetup: defineOperation({
    method: 'post',
    path: '/api/v1/setup/complete',
    summary: 'Create the first user, an admin; exactly one of several simultaneous requests succeeds',
    tag: 'setup',
    auth: 'setup',
    body: jsonBody(setupSchema),
    responses: { 201: { ...json(signedInSchema, 'Created and signed in.'), headers: ['Set-Cookie'] } },
    errors: ['rate_limited'],
    audit: ['setup.completed'],
  }),
  login: defineOperation({
    method: 'post',
    path: '/api/v1/auth/login',
    summary:
      'Sign in; users with a second factor get a challenge for `POST /auth/second-factor` instead of a token',
    tag: 'auth',
    auth: 'none',
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
