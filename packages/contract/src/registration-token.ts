import { z } from 'zod';
import { count, id, text, timestamp } from './field-types.ts';

const tokenFields = {
  id,
  name: z.string(),
  auto_approve: z.boolean(),
  max_uses: count,
  uses: count,
  host_id: id.nullable(),
  created_at: timestamp,
  expires_at: timestamp,
  revoked_at: timestamp.nullable(),
};

/** A token hosts enrol with; the secret itself is not known any more. */
export const registrationTokenSchema = z.strictObject(tokenFields).meta({ id: 'RegistrationToken' });

/** What `registrationTokenSchema` lets through. */
export type RegistrationToken = z.output<typeof registrationTokenSchema>;

/** A token just made, with its secret, shown this once. */
export const issuedRegistrationTokenSchema = z
  .strictObject({ ...tokenFields, token: z.string(), install_command: z.string() })
  .meta({ id: 'IssuedRegistrationToken' });

/** A token to be. */
export const newRegistrationTokenSchema = z.strictObject({
  name: text(1, 200),
  expires_in_hours: z.int().min(1).max(8760).default(24),
  auto_approve: z.boolean().default(false),
  max_uses: z.int().min(1).max(1_000_000).default(1),
  host_id: id.nullable().default(null),
});
