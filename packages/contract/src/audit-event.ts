import { z } from 'zod';
import { id, timestamp } from './field-types.ts';

/** Who did what, when, from where. */
export const auditEventSchema = z
  .strictObject({
    id,
    at: timestamp,
    action: z.string().describe('What happened: `ssh.host_key_accepted`. The list grows.'),
    actor_id: id.nullable().describe('The user; null where it was the service itself.'),
    actor_name: z.string().describe("The user's e-mail address then, or the part of the service."),
    ip_address: z.string().nullable(),
    host_id: id.nullable().describe('Names nothing any more once the host is deleted.'),
    host_name: z.string().nullable().describe("The host's display name then."),
    details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  })
  .meta({ id: 'AuditEvent' });

/** What `auditEventSchema` lets through. */
export type AuditEvent = z.output<typeof auditEventSchema>;
