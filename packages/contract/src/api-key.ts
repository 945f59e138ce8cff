import { userRoles } from '@plimsoll/model';
import { z } from 'zod';
import { id, network, queryTime, text, timestamp } from './field-types.ts';
import { scopeTags } from './user.ts';

/** The longest life of an API key, in days. */
export const longestKeyDays = 400;

const keyFields = {
  id,
  user_id: id,
  user_email: z.string().describe('The user for whom it acts.'),
  name: z.string(),
  role: z.enum(userRoles).describe('At most; it never has more rights than its user has now.'),
  tags: z.array(z.string()).nullable().describe('As the tags of a user. Null: it is limited as its user is.'),
  networks: z.array(z.string()).describe('Where it may be used from; empty: from everywhere.'),
  created_at: timestamp,
  expires_at: timestamp,
  last_used_at: timestamp.nullable().describe('To the minute; null: never.'),
};

/** An API key; its secret is no longer available. */
export const apiKeySchema = z.strictObject(keyFields).meta({ id: 'ApiKey' });

export type ApiKey = z.output<typeof apiKeySchema>;

/** A new API key with its secret, which is shown only once. */
export const issuedApiKeySchema = z
  .strictObject({ ...keyFields, key: z.string().describe('Shown this once.') })
  .meta({ id: 'IssuedApiKey' });

export type IssuedApiKey = z.output<typeof issuedApiKeySchema>;

/** A request for a new API key. */
export const newApiKeySchema = z.strictObject({
  name: text(1, 200),
  role: z.enum(userRoles).describe("At most the caller's."),
  tags: scopeTags.default(null),
  expires_at: queryTime.describe(`In the future, at most ${longestKeyDays} days ahead.`),
  networks: z.array(network).max(50).default([]),
});
