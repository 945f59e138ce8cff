import { z } from 'zod';
import { id, text } from '../field-types.ts';
import { empty, json, jsonBody, operationsFor, page } from '../operation.ts';
import { endSessionsQuerySchema, sessionSchema, sessionsQuerySchema } from '../session.ts';
import { signedInSchema } from '../user.ts';

const auth = operationsFor('auth');
const sessions = operationsFor('sessions');

const params = z.strictObject({ id });

const allowedDownloadSchema = z.strictObject({
  path: z
    .string()
    .describe(
      'Where the browser gets the export: the path and query of the request with the id of this download, which the cookie belongs to: `/api/v1/vex?format=csaf&download=019a…`. Of no use without the cookie.',
    ),
});

/** Operations on sessions. */
export const sessionOperations = {
  refreshSession: auth.forEveryone('post', '/api/v1/auth/refresh', {
    summary:
      'A new access token for the refresh cookie, which is replaced. Used twice, a cookie gives the same answer within 30 seconds and ends its session afterwards',
    headers: z.object({
      cookie: z.string().optional().describe('`plimsoll_refresh`, set by a sign-in with `refresh_cookie`.'),
      'sec-fetch-site': z.string().optional(),
      origin: z.string().optional().describe('Required without Sec-Fetch-Site; must be of this service.'),
    }),
    responses: { 200: { ...json(signedInSchema, 'Still signed in.'), headers: ['Set-Cookie'] } },
    errors: ['bad_request', 'unauthenticated', 'forbidden'],
    unaudited: 'Browsers refresh every few minutes. The second use of an old token is recorded.',
  }),
  allowDownload: auth.forViewers('post', '/api/v1/auth/download', {
    summary:
      'Let the browser download one export by itself, once: a cookie for a GET of the address in the answer, for two minutes and as the same user',
    body: jsonBody(
      z.strictObject({
        path: text(1, 8_000).describe(
          'Path and query of an operation that exports data: `/api/v1/vex?format=csaf`.',
        ),
        body: z
          .record(z.string(), z.unknown())
          .optional()
          .describe('The body of an export by POST, which the browser gets by GET then: `{"hosts": ["…"]}`.'),
      }),
      192 * 1024,
    ),
    responses: {
      200: {
        ...json(allowedDownloadSchema, 'Allowed. The download ends it and removes the cookie.'),
        headers: ['Set-Cookie'],
      },
    },
    unaudited: 'The download itself is recorded.',
  }),
  listSessions: sessions.forViewers('get', '/api/v1/sessions', {
    summary: "Sessions that have not ended, newest first: one's own, for an admin all",
    query: sessionsQuerySchema,
    responses: { 200: page(z.array(sessionSchema), 'The sessions.') },
    errors: ['not_found'],
  }),
  endSessions: sessions.forViewers('delete', '/api/v1/sessions', {
    summary: 'End all sessions of a user: sign out everywhere',
    query: endSessionsQuerySchema,
    responses: { 204: empty('Ended; their tokens are void.') },
    errors: ['not_found'],
    audit: ['session.ended'],
  }),
  endSession: sessions.forViewers('delete', '/api/v1/sessions/{id}', {
    summary: 'End a session',
    params,
    responses: { 204: empty('Ended; its tokens are void.') },
    audit: ['session.ended'],
  }),
};
