import { z } from 'zod';
import { count, id, timestamp } from './field-types.ts';

/** What can be in quarantine. */
export const quarantineKinds = ['upload', 'feed_record', 'notification'] as const;

/** A report or records of a feed that could not be read, or a message that was given up. */
export const quarantinedSchema = z
  .strictObject({
    kind: z.enum(quarantineKinds),
    id: z.string().describe('Of the upload, feed, import, delivery or failed event.'),
    at: timestamp,
    reason: z.string().describe("The code of the upload's error, `unreadable`, or the event of the message."),
    detail: z.string().describe('Why, as a sentence; of records, their number and the first error.'),
    host_id: id.nullable(),
    name: z.string().describe('Of the host, feed, format or channel.'),
    retry: z
      .enum(['possible', 'bytes_deleted', 'overtaken', 'with_next_sync', 'impossible'])
      .describe(
        '`possible`: uploads here, messages by their own operations. `bytes_deleted`: a later report of the host was rejected. `overtaken`: the host is known to be in a newer state.',
      ),
  })
  .meta({ id: 'Quarantined' });

export type QuarantinedEntry = z.output<typeof quarantinedSchema>;

/** Uploads by id, or all that were rejected for one reason. */
export const retryUploadsSchema = z
  .union([
    z.strictObject({ ids: z.array(id).min(1).max(1000) }),
    z.strictObject({ reason: z.string().min(1).max(64) }),
  ])
  .meta({ id: 'RetryUploads' });

/** How many uploads are read again. */
export const retriedSchema = z
  .strictObject({ retried: count.describe('Others cannot be read again, or are not in quarantine.') })
  .meta({ id: 'RetriedUploads' });
