import { auditActions, auditActorKinds, auditTargetKinds } from '@plimsoll/model';
import { z } from 'zod';
import { id, paging, queryTime, text, timestamp } from './field-types.ts';

const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

/** Who did what, when, from where. */
export const auditEventSchema = z
  .strictObject({
    id,
    at: timestamp,
    action: z.enum(auditActions).describe('What happened, as `noun.verb`. The list grows.'),
    actor_kind: z
      .enum(auditActorKinds)
      .describe('`host`: its agent. `cli`: a command on the server. `system`: the service itself.'),
    actor_id: id
      .nullable()
      .describe('Id of the user or host; null for neither, and for requests without valid credentials.'),
    actor_name: z
      .string()
      .describe("The user's e-mail address then, the host's name, the command, or the part of the service."),
    ip_address: z.string().nullable(),
    request_id: z.string().nullable().describe('Finds the request in the logs.'),
    target_kind: z
      .enum(auditTargetKinds)
      .nullable()
      .describe('What it was done to; null: nothing that has an id.'),
    target_id: z.string().nullable().describe('Names nothing any more once that is deleted.'),
    target_name: z.string().nullable().describe('What it was called then.'),
    host_id: id.nullable().describe('`target_id`, where that is a host.'),
    host_name: z.string().nullable().describe('`target_name`, where that is a host.'),
    details: z
      .record(z.string(), z.union([value, z.strictObject({ from: value, to: value })]))
      .describe('What else there is to say. Of a change, both sides of every field that is not as it was.'),
  })
  .meta({ id: 'AuditEvent' });

/** What `auditEventSchema` lets through. */
export type AuditEvent = z.output<typeof auditEventSchema>;

/** Which events are asked for. */
export const auditEventsQuerySchema = z.strictObject({
  ...paging,
  actor: text(1, 254).optional().describe('An id, or an e-mail address or name exactly.'),
  action: z
    .string()
    .regex(/^[a-z_]{1,40}(\.[a-z_]{0,40})?$/, { error: 'must be an action or how one begins' })
    .optional()
    .describe('An action, or how it begins: `user.`'),
  target_id: text(1, 254).optional(),
  from: queryTime.optional().describe('Not before.'),
  to: queryTime.optional().describe('Before.'),
});
