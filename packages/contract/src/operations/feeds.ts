import { z } from 'zod';
import {
  feedIdSchema,
  feedSchema,
  importQuerySchema,
  importSchema,
  queuedImportSchema,
  queuedSyncSchema,
} from '../feed.ts';
import { id } from '../field-types.ts';
import { contentEncodings, json, operationsFor } from '../operation.ts';

const { forViewers, forOperators, forAdmins } = operationsFor('feeds');

/** Operations on feeds. */
export const feedOperations = {
  listFeeds: forViewers('get', '/api/v1/feeds', {
    summary: 'Advisory feeds with their state and age',
    responses: { 200: json(z.array(feedSchema), 'The feeds, by id.') },
  }),
  syncFeed: forOperators('post', '/api/v1/feeds/{id}/sync', {
    summary: 'Fetch a feed now',
    fleetWide: true,
    params: z.strictObject({ id: feedIdSchema }),
    responses: {
      202: json(queuedSyncSchema, 'Queued.'),
      200: json(feedSchema, 'Fetched, or failed with `last_error` (`Prefer: wait`).'),
    },
    errors: ['conflict'],
    waits: true,
    audit: ['feed.sync_requested'],
  }),
  importFeed: forAdmins('post', '/api/v1/feeds/import', {
    summary: 'Import a file of advisories',
    query: importQuerySchema,
    body: {
      kind: 'bytes',
      contentTypes: ['application/octet-stream'],
      encodings: contentEncodings,
      limitBytes: 2 * 1024 * 1024 * 1024,
      comesAs: 'file',
      description:
        'The file: a zip or compressed tar of JSON, or JSON, JSON Lines, XML (updateinfo) or CSV (EPSS, lifecycles), plain or as gzip, zstd, xz or bzip2.',
    },
    responses: {
      202: json(queuedImportSchema, 'Stored and queued.'),
      200: json(importSchema, 'Done or failed (`Prefer: wait`).'),
    },
    errors: ['bad_request'],
    waits: true,
    audit: ['feed.import_requested'],
  }),
  getImport: forViewers('get', '/api/v1/feeds/imports/{importId}', {
    summary: 'State of an import',
    params: z.strictObject({ importId: id }),
    responses: { 200: json(importSchema, 'The import.') },
  }),
};
