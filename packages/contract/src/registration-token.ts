import { hostExposures } from '@plimsoll/model';
import { z } from 'zod';
import { count, hostTags, id, text, timestamp } from './field-types.ts';

const tokenFields = {
  id,
  name: z.string(),
  auto_approve: z.boolean(),
  max_uses: count,
  uses: count,
  host_id: id.nullable(),
  tags: z.array(z.string()).describe('Hosts that enrol with it get these.'),
  exposure: z
    .enum(hostExposures)
    .nullable()
    .describe('The exposure of hosts that it creates, unless an operator or a rule by tag sets another.'),
  created_at: timestamp,
  expires_at: timestamp,
  revoked_at: timestamp.nullable(),
};

/** A token that hosts enrol with; its secret is no longer available. */
export const registrationTokenSchema = z.strictObject(tokenFields).meta({ id: 'RegistrationToken' });

export type RegistrationToken = z.output<typeof registrationTokenSchema>;

/** A new token with its secret, which is shown only once. */
export const issuedRegistrationTokenSchema = z
  .strictObject({
    ...tokenFields,
    token: z.string(),
    install_command: z
      .string()
      .describe('One line for a root shell. It runs the agent only if its SHA-256 matches the line.'),
    warnings: z
      .array(
        z.strictObject({
          code: z.enum(['loopback_url', 'plain_http_url', 'private_authority']),
          detail: z.string(),
        }),
      )
      .describe('Problems that keep `install_command` from working or make it unsafe; show them before it.'),
  })
  .meta({ id: 'IssuedRegistrationToken' });

export type IssuedRegistrationToken = z.output<typeof issuedRegistrationTokenSchema>;

/** A request for a new token. */
export const newRegistrationTokenSchema = z.strictObject({
  name: text(1, 200),
  expires_in_hours: z.int().min(1).max(8760).default(24),
  auto_approve: z.boolean().default(false),
  max_uses: z.int().min(1).max(1_000_000).default(1),
  host_id: id.nullable().default(null),
  tags: hostTags
    .default([])
    .describe('Hosts that enrol with it get these. A caller who is limited to tags must name one of them.'),
  exposure: z
    .enum(['public', 'internal'])
    .nullable()
    .default(null)
    .describe('The exposure of hosts that it creates; null: not stated.'),
  allow_plain_http: z
    .boolean()
    .default(false)
    .describe('Whether `install_command` lets the agent use a server without TLS. No effect with https.'),
});
