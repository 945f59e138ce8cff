import { pullErrorCodes, pullStatuses, pullTriggers } from '@plimsoll/model';
import { z } from 'zod';
import { id, timestamp } from './field-types.ts';

/** A pull of a host and its progress. */
export const pullJobSchema = z
  .strictObject({
    id,
    host_id: id,
    trigger: z.enum(pullTriggers),
    status: z.enum(pullStatuses),
    queued_at: timestamp,
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
    error_code: z.enum(pullErrorCodes).nullable(),
    error_message: z.string().nullable().describe('One sentence with the next step.'),
    snapshot_id: id.nullable(),
  })
  .meta({ id: 'PullJob' });

export type PullJob = z.output<typeof pullJobSchema>;
