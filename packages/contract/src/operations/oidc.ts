import { z } from 'zod';
import { queryFlag, text } from '../field-types.ts';
import { json, operationsFor, redirect } from '../operation.ts';

const { forEveryone } = operationsFor('auth');

const signInMethodsSchema = z
  .strictObject({
    password: z.boolean().describe('Whether users can sign in with e-mail address and password.'),
    oidc: z
      .strictObject({ label: z.string().describe('The text of the button.') })
      .nullable()
      .describe('The OpenID Connect provider; null: none.'),
  })
  .meta({ id: 'SignInMethods' });

const endedSchema = z
  .strictObject({
    url: z
      .string()
      .nullable()
      .describe('Null: no provider signed this browser in, or it has no such page, or cannot be reached.'),
  })
  .meta({ id: 'OidcSignOut' });

/** Providers add parameters of their own, and the library checks the known ones. */
const callbackQuerySchema = z.looseObject({
  code: z.string().max(4096).optional(),
  state: z.string().max(1024).optional(),
  iss: z.string().max(2048).optional().describe('RFC 9207.'),
  error: z.string().max(200).optional(),
});

/** Browsers send the cookie of a pending sign-in. */
const cookieHeader = z.object({ cookie: z.string().optional() });

/** Operations of signing in with an OpenID Connect provider. Browsers go to the first two as pages. */
export const oidcOperations = {
  getSignInMethods: forEveryone('get', '/api/v1/auth/methods', {
    summary: 'How users can sign in',
    responses: { 200: json(signInMethodsSchema, 'What the sign-in page offers.') },
  }),
  startOidc: forEveryone('get', '/api/v1/auth/oidc/start', {
    summary: 'Go to the sign-in page of the OpenID Connect provider',
    query: z.strictObject({
      back: text(1, 2000).optional().describe('The path of the dashboard to return to; others are ignored.'),
      again: queryFlag.optional().describe('Whether the provider must authenticate the user anew.'),
    }),
    headers: cookieHeader,
    responses: {
      303: redirect('To the provider, or to the sign-in page of the dashboard with the reason in `refused`.'),
    },
    errors: ['not_found'],
  }),
  finishOidc: forEveryone('get', '/api/v1/auth/oidc/callback', {
    summary: 'The answer of the OpenID Connect provider, which ends a sign-in',
    query: callbackQuerySchema,
    headers: cookieHeader,
    responses: {
      303: redirect(
        'To the dashboard, signed in; or to its sign-in page with the reason in `refused`. No token is in the URL.',
      ),
    },
    errors: ['not_found'],
  }),
  endOidc: forEveryone('post', '/api/v1/auth/oidc/logout', {
    summary: "The page that ends the user's session at the OpenID Connect provider",
    headers: z.object({
      cookie: z.string().optional(),
      'sec-fetch-site': z.string().optional(),
      origin: z.string().optional().describe('Required without Sec-Fetch-Site; must be of this service.'),
    }),
    responses: { 200: { ...json(endedSchema, 'Where the browser goes now.'), headers: ['Set-Cookie'] } },
    errors: ['bad_request', 'forbidden'],
    unaudited: 'POST /auth/logout ends the session here and records it.',
  }),
};
