import { auditActions, auditActorKinds, auditTargetKinds } from '@plimsoll/model';
import { z } from 'zod';
import { id, paging, queryTime, text, timestamp } from './field-types.ts';

const value = z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string())]);

/** An audit event: actor, action, time and origin. */
export const auditEventSchema = z
  .strictObject({
    id,
    at: timestamp,
    action: z.enum(auditActions).describe('The action, as `noun.verb`. The list grows.'),
    actor_kind: z
      .enum(auditActorKinds)
      .describe("`host`: the host's agent. `cli`: a command on the server. `system`: the service."),
    actor_id: id
      .nullable()
      .describe(
        'The id of the user or host; null for other actors and for requests without valid credentials.',
      ),
    actor_name: z
      .string()
      .describe(
        "At the time of the event: the user's e-mail address, the host's name, the command, or the part of the service.",
      ),
    ip_address: z.string().nullable(),
    request_id: z.string().nullable().describe('Identifies the request in the logs.'),
    target_kind: z
      .enum(auditTargetKinds)
      .nullable()
      .describe('The kind of target; null if the target has no id.'),
    target_id: z.string().nullable().describe('Stays after the target is deleted.'),
    target_name: z.string().nullable().describe('The name at the time of the event.'),
    host_id: id.nullable().describe('`target_id` if the target is a host.'),
    host_name: z.string().nullable().describe('`target_name` if the target is a host.'),
    details: z
      .record(z.string(), z.union([value, z.strictObject({ from: value, to: value })]))
      .describe('Further values. For a change: the value before and after, for every changed field.'),
  })
  .meta({ id: 'AuditEvent' });

export type AuditEvent = z.output<typeof auditEventSchema>;

/** Filters of the audit log. */
export const auditEventsQuerySchema = z.strictObject({
  ...paging,
  actor: text(1, 254).optional().describe('An exact id, e-mail address or name.'),
  action: z
    .string()
    .regex(/^[a-z_]{1,40}(\.[a-z_]{0,40})?$/, { error: 'must be an action or how one begins' })
    .optional()
    .describe('An action, or a prefix: `user.`'),
  target_id: text(1, 254).optional(),
  from: queryTime.optional().describe('At or after this time.'),
  to: queryTime.optional().describe('Before this time.'),
});
