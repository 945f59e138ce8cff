import {
  feedFailureCauses,
  feedFormats,
  feedFreshnesses,
  feedKinds,
  feedSyncStages,
  feedSyncStates,
  feedWaysOut,
  importStates,
} from '@plimsoll/model';
import { z } from 'zod';
import { count, id, queryFlag, queryTime, text, timestamp } from './field-types.ts';

/** How far a sync is that has begun and not ended. */
const unfinishedSync = z.strictObject({
  state: z
    .enum(feedSyncStates)
    .describe(
      '`interrupted`: its worker has not reported for a minute. The sync goes on when a worker runs, and does not ' +
        'fetch again what it has.',
    ),
  stage: z
    .enum(feedSyncStages)
    .describe('`matching`: stores the records and matches hosts again. Its numbers do not change meanwhile.'),
  files_done: count,
  files_total: count.nullable().describe('Null: not known yet.'),
  bytes: count.describe('Of these files and the one that is being fetched.'),
  bytes_expected: count.nullable().describe('The size of the files begun; null: a server does not tell it.'),
  records_read: count,
  started_at: timestamp,
  progressed_at: timestamp.describe('When something last changed. A sync without any progress is ended.'),
  reported_at: timestamp.describe("The worker's last report."),
});

/** A source of advisories with the age of its data. */
export const feedSchema = z
  .strictObject({
    id: z.string(),
    title: z.string(),
    kind: z
      .enum(feedKinds)
      .nullable()
      .describe(
        'What the feed contains; null: it is stored, but this version of the service has no such feed.',
      ),
    state: z.string().describe('The result of the last sync or import: `never_synced`, `ok` or `failed`.'),
    freshness: z
      .enum(feedFreshnesses)
      .describe(
        'The age of the data, independent of the last sync: `outdated` from `stale_after_seconds` on. That of the ' +
          'oldest release that hosts run.',
      ),
    stale_after_seconds: count.describe('The setting `feeds.stale_after_days`.'),
    needed_by_hosts: count.describe(
      'Approved hosts whose release the feed covers; for feeds of other kinds the hosts of its distributions.',
    ),
    records: count,
    updated_at: timestamp.nullable().describe('When the data was last known to be the newest available.'),
    last_sync_at: timestamp.nullable(),
    next_sync_at: timestamp.nullable(),
    sync: unfinishedSync.nullable().describe('The progress of a sync; null: none has begun and not ended.'),
    last_error: z
      .string()
      .nullable()
      .describe('The error of the last failed sync, in a sentence; without credentials.'),
    last_error_cause: z.enum(feedFailureCauses).nullable().describe('The same as a code.'),
    releases: z
      .array(
        z.strictObject({
          release: z.string(),
          updated_at: timestamp.nullable().describe('Null: the feed never had its files.'),
          last_error: z.string().nullable(),
          last_error_cause: z.enum(feedFailureCauses).nullable(),
        }),
      )
      .describe(
        'The releases that the publisher has files of their own for, as far as they were synced: a file that is ' +
          'missing or broken costs its release alone, whose hosts show it in their gaps.',
      ),
    consecutive_failures: count.describe(
      'Syncs that failed in a row. Retries follow after 1, 2, 5, 15 and 60 minutes, then every 6 hours.',
    ),
    ways_out: z
      .array(z.strictObject({ code: z.enum(feedWaysOut), text: z.string() }))
      .describe("The operator's options, in the order to try them; empty if nothing is wrong."),
    import_only: z
      .boolean()
      .describe('Its publisher offers no file to download: only imports update it, and a sync does nothing.'),
    alternatives: z
      .array(z.string())
      .describe('Feeds that can cover the same releases instead, downloadable ones first.'),
    limits: z.array(z.string()).describe('What the feed does not cover, in sentences.'),
    overrides: z
      .array(
        z.strictObject({
          release: z.string(),
          package: z.string().describe('As the feed names it.'),
          cve: z.string(),
          affected_from: z.string().nullable().describe('The first affected version.'),
          affected_before: z
            .string()
            .nullable()
            .describe('The first version that is no longer affected. Both null: no version is affected.'),
          reason: z.string(),
          source: z.string().describe('The URL of the evidence.'),
          origin: z
            .enum(['project', 'operator'])
            .describe('The list of Plimsoll, or the file in `advisories.overrides_file`.'),
          statements: count.describe('Statements of the feed that it applies to at present.'),
        }),
      )
      .describe('Known errors of the feed that are corrected, by release, package and CVE.'),
  })
  .meta({ id: 'Feed' });

export type Feed = z.output<typeof feedSchema>;

/** The id of a feed in the path. */
export const feedIdSchema = z.string().regex(/^[a-z0-9][a-z0-9._:-]{0,99}$/);

/** The answer to a requested sync. */
export const queuedSyncSchema = z
  .strictObject({ feed_id: z.string(), status: z.literal('queued') })
  .meta({ id: 'QueuedSync' });

/** How to read a file of advisories. */
export const importQuerySchema = z.strictObject({
  format: z.enum(feedFormats).optional().describe('Detected from the content by default.'),
  release: text(1, 100)
    .regex(/^[a-z0-9.-]+:[A-Za-z0-9._-]+$/, { error: 'must be like "almalinux:8"' })
    .optional()
    .describe('Only if the file does not state it.'),
  complete: queryFlag
    .optional()
    .describe(
      'The file is the whole feed: stored records that it lacks are removed. Default false: records are only added and replaced.',
    ),
  as_of: queryTime
    .optional()
    .describe(
      'The time up to which the file is complete: the age of the feed. Only with `complete`, and not in the future.' +
        'Default: the newest record of the file.',
    ),
});

/** The answer to an accepted file. */
export const queuedImportSchema = z
  .strictObject({ import_id: id, status: z.literal('queued') })
  .meta({ id: 'QueuedImport' });

/** An import and its progress. */
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

export type Import = z.output<typeof importSchema>;
