import { z } from 'zod';
import { id, paging, queryFlag, timestamp } from './field-types.ts';

/** How a user was authenticated. */
const methods = ['setup', 'password', 'second_factor', 'passkey', 'oidc', 'invitation'] as const;

/** A session: a user signed in with one browser or script. */
export const sessionSchema = z
  .strictObject({
    id,
    user_id: id,
    user_email: z.string(),
    current: z.boolean().describe('The session of this request.'),
    kind: z
      .enum(['token', 'browser'])
      .describe('`token`: one access token until `ends_at`. `browser`: renewed with a refresh cookie.'),
    method: z.enum(methods).describe('How the user was authenticated.'),
    created_at: timestamp,
    authenticated_at: timestamp.describe('When the user last gave a password, second factor or the like.'),
    last_used_at: timestamp.describe('Within a minute.'),
    idle_ends_at: timestamp.nullable().describe('When it ends unless it is refreshed; null: only `ends_at`.'),
    ends_at: timestamp,
    ip_address: z.string().nullable().describe('Where it was started.'),
    user_agent: z.string().describe('What it was started with; at most 256 characters; not checked.'),
  })
  .meta({ id: 'Session' });

export type Session = z.output<typeof sessionSchema>;

const userId = id.optional().describe('Sessions of this user. Only an admin sees those of others.');

/** Filters of the list of sessions. */
export const sessionsQuerySchema = z.strictObject({ ...paging, user_id: userId });

/** Which sessions to end. */
export const endSessionsQuerySchema = z.strictObject({
  user_id: id.optional().describe('Of this user, for an admin. Missing: of the caller.'),
  keep_current: queryFlag.optional().describe('Not the session of this request.'),
});
