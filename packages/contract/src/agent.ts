import { approvalStatuses, updatesStates, uploadStates } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, text } from './field-types.ts';

const ipAddress = z
  .union([z.literal(''), z.ipv4(), z.ipv6()], { error: 'must be an IPv4 or IPv6 address' })
  .meta({ description: 'IPv4 or IPv6.' });

/** An agent's request to enrol its host. Unknown fields are ignored, because a newer agent may send more. */
export const registerSchema = z.object({
  registration_token: z.string().min(1).max(1000),
  hostname: text(1, 253),
  machine_id: z.string().regex(/^[\x21-\x7e]{1,128}$/, { error: 'must be 1 to 128 printable characters' }),
  metadata: z
    .object({
      ip_address: ipAddress.nullish(),
      os_name: text(0, 64).nullish(),
      os_version: text(0, 64).nullish(),
      architecture: text(0, 64).nullish(),
    })
    .nullish(),
});

/** Headers of an enrolment request. */
export const registerHeadersSchema = z.object({
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/, { error: 'must be 1 to 255 printable characters' })
    .optional(),
});

/** The answer to an enrolment. */
export const enrolledSchema = z
  .strictObject({
    host_id: id,
    host_access_token: z.string(),
    approval_status: z.enum(approvalStatuses),
    report_interval_seconds: count,
  })
  .meta({ id: 'Enrolled' });

/** The settings that an agent fetches between reports. */
export const agentConfigSchema = z
  .strictObject({
    report_interval_seconds: count,
    newest_agent_version: z.string().describe('The version of the agent script that this server serves.'),
  })
  .meta({ id: 'AgentConfig' });

/** State of the calling host's newest report. One flat object, because shell scripts read it. */
export const agentStatusSchema = z
  .strictObject({
    host_id: id,
    approval_status: z.enum(approvalStatuses),
    os_name: z.string(),
    os_version: z.string(),
    architecture: z.string(),
    package_count: count.nullable().describe('Null before the first parsed report.'),
    available_updates: count.nullable().describe('Null if `updates_state` is `unknown`.'),
    updates_state: z.enum(updatesStates),
    upload_id: id.nullable().describe("The host's newest upload; null if it has none."),
    upload_state: z.enum(uploadStates).nullable(),
    upload_error: z.string().nullable().describe('The error code of a rejected upload.'),
  })
  .meta({ id: 'AgentStatus' });

/** Headers of an upload. */
export const uploadHeadersSchema = z.object({
  'plimsoll-new-token': z
    .literal('accepted', { error: 'must be "accepted"' })
    .optional()
    .describe('The agent takes a new host token from the answer.'),
});

const newToken = z
  .string()
  .optional()
  .describe(
    'A new host token, only for agents that accept one: keep it, and use it from now on. The one of the request is ' +
      'valid until this one was used.',
  );

/** The answer to an accepted upload. */
export const acceptedSnapshotSchema = z
  .strictObject({ snapshot_id: id, status: z.enum(['queued', 'unchanged']), host_access_token: newToken })
  .meta({ id: 'AcceptedSnapshot' });

/** The answer to an upload that the client waited for. */
export const finishedSnapshotSchema = z
  .strictObject({
    snapshot_id: id,
    status: z.literal('done'),
    state: z.enum(['matched', 'superseded']),
    host_access_token: newToken,
  })
  .meta({ id: 'FinishedSnapshot' });
