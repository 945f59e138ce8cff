import {
  feedFailureCauses,
  feedFormats,
  feedFreshnesses,
  feedKinds,
  feedWaysOut,
  importStates,
} from '@plimsoll/model';
import { z } from 'zod';
import { count, id, queryFlag, queryTime, text, timestamp } from './field-types.ts';

/** Where advisories come from, and how fresh they are. */
export const feedSchema = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    kind: z
      .enum(feedKinds)
      .nullable()
      .describe('What it is about; null: it is stored, but this version of the service has no such feed.'),
    state: z.string().describe('How the last sync or import went: `never_synced`, `ok` or `failed`.'),
    freshness: z
      .enum(feedFreshnesses)
      .describe(
        'How the data stands, whatever became of the last sync: `outdated` from `stale_after_seconds` on.',
      ),
    stale_after_seconds: count.describe('The setting `feeds.stale_after_days`.'),
    needed_by_hosts: count.describe(
      'Approved hosts whose release it speaks for; of a feed of another kind those of its distributions.',
    ),
    records: count,
    updated_at: timestamp.nullable().describe('When the data was last known to be the newest there is.'),
    last_sync_at: timestamp.nullable(),
    next_sync_at: timestamp.nullable(),
    last_error: z
      .string()
      .nullable()
      .describe('Why the last sync failed, in a sentence; without credentials.'),
    last_error_cause: z
      .enum(feedFailureCauses)
      .nullable()
      .describe('The same, to be told apart by machines.'),
    consecutive_failures: count.describe(
      'Syncs that failed in a row. The next one comes after 1, 2, 5, 15 and 60 minutes, then every 6 hours.',
    ),
    ways_out: z
      .array(z.strictObject({ code: z.enum(feedWaysOut), text: z.string() }))
      .describe('What an operator can do, in the order in which to try it; none where nothing is wrong.'),
    import_only: z
      .boolean()
      .describe(
        'Its publisher has no file of it that could be fetched: only imports bring it, a sync does nothing.',
      ),
    alternatives: z
      .array(z.string())
      .describe('Feeds that can speak for the same releases in its place, those that can be fetched first.'),
    limits: z.array(z.string()).describe('What it cannot know, in sentences.'),
  })
  .meta({ id: 'Feed' });

/** What `feedSchema` lets through. */
export type Feed = z.output<typeof feedSchema>;

/** The id of a feed in the path. */
export const feedIdSchema = z.string().regex(/^[a-z0-9][a-z0-9._:-]{0,99}$/);

/** The answer to a sync that was asked for. */
export const queuedSyncSchema = z
  .strictObject({ feed_id: z.string(), status: z.literal('queued') })
  .meta({ id: 'QueuedSync' });

/** How a file of advisories is to be read. */
export const importQuerySchema = z.strictObject({
  format: z.enum(feedFormats).optional().describe('Recognised by the content where it is missing.'),
  release: text(1, 100)
    .regex(/^[a-z0-9.-]+:[A-Za-z0-9._-]+$/, { error: 'must be like "almalinux:8"' })
    .optional()
    .describe('Only where the file does not say it itself.'),
  complete: queryFlag
    .optional()
    .describe(
      'The file is the whole feed: what it lacks is removed. Default false: it only adds and replaces.',
    ),
  as_of: queryTime
    .optional()
    .describe(
      'Until when the file is all there is to know: the age of the feed. Only with `complete`, and not in the future. ' +
        'Missing: the newest record of the file tells.',
    ),
});

/** The answer to a file that was taken. */
export const queuedImportSchema = z
  .strictObject({ import_id: id, status: z.literal('queued') })
  .meta({ id: 'QueuedImport' });

/** An import and how far it got. */
export const importSchema = z
  .strictObject({
    import_id: id,
    status: z.enum(importStates),
    records_read: count,
    records_changed: count,
    records_rejected: count,
    errors: z.array(z.strictObject({ pointer: z.string(), detail: z.string() })),
    started_at: timestamp.nullable(),
    finished_at: timestamp.nullable(),
  })
  .meta({ id: 'Import' });

/** What `importSchema` lets through. */
export type Import = z.output<typeof importSchema>;
