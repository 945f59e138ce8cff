import { historyResolutions, uploadDoors, uploadStates } from '@plimsoll/model';
import { z } from 'zod';
import { count, id, timestamp } from './field-types.ts';

const snapshotFields = {
  id,
  host_id: id,
  source: z.enum(uploadDoors),
  collected_at: timestamp.nullable(),
  received_at: timestamp,
  schema_version: count,
  payload_sha256: z.string().regex(/^[0-9a-f]{64}$/),
  payload_size: count.describe('Size of the raw protobuf, in bytes.'),
  resolution: z
    .enum(historyResolutions)
    .describe('day, month: it is kept for its day or month (UTC), and others were folded into it.'),
  represents_from: timestamp.describe(
    'When the first of those that were folded into it was received, otherwise itself.',
  ),
};

/** A snapshot without its payload. */
export const snapshotSummarySchema = z.strictObject(snapshotFields).meta({ id: 'SnapshotSummary' });

export type SnapshotSummary = z.output<typeof snapshotSummarySchema>;

/** A snapshot with its payload. */
export const snapshotSchema = z
  .strictObject({ ...snapshotFields, payload: z.base64().describe('The raw protobuf.') })
  .meta({ id: 'Snapshot' });

export type Snapshot = z.output<typeof snapshotSchema>;

/** An upload of a host and its progress. */
export const uploadSchema = z
  .strictObject({
    id,
    door: z.enum(uploadDoors),
    received_at: timestamp,
    state: z.enum(uploadStates),
    error_code: z.string().nullable(),
    errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })),
    notes: z
      .array(z.strictObject({ pointer: z.string(), detail: z.string() }))
      .describe('What was corrected or omitted, the first 20 entries.'),
    refusals: z.int().min(0).meta({
      description:
        '0: this entry is one upload. Above 0: this entry is for that many uploads, all refused with 429 since the last accepted one.',
    }),
    snapshot_id: id.nullable(),
  })
  .meta({ id: 'Upload' });

export type Upload = z.output<typeof uploadSchema>;
