import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type FeedDefinition, feeds } from '@plimsoll/advisories';
import { type ImportProgress, type ImportRow, isDatabaseAway } from '@plimsoll/db';
import type { ImportId } from '@plimsoll/model';
import type { Handler, jobs, PayloadOf } from '@plimsoll/queue';
import { ImportError } from '../records/import-error.ts';
import type { WorkerContext } from '../worker-context.ts';
import { fetchFeed } from './fetch-feed.ts';
import { importRecords } from './import-records.ts';

type SyncPayload = PayloadOf<typeof jobs, 'advisory-sync'>;

/** An import is given up when it was begun so often and never ended, because it takes the worker down each time. */
const maxStarts = 10;
/** And when it failed so often for a reason that is none of the file's. */
const maxFailures = 4;

/** Handles `advisory-sync`: imports an uploaded file, or fetches a feed and imports what is new. */
export function createSyncHandler(context: WorkerContext): Handler<SyncPayload> {
  return async (payload, { signal, lastAttempt }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-feed-'));
    try {
      const file = path.join(folder, 'feed');
      if (payload.kind === 'import') await runImport(context, payload.importId, file, signal);
      else await runSync(context, payload.feedId, { file, signal, lastAttempt });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  };
}

async function runImport(
  context: WorkerContext,
  id: ImportId,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  const { imports, log } = context;
  const row = await imports.begin(id);
  if (row === null) return;
  if (row.attempts > maxStarts) {
    await giveUp(context, id);
    return;
  }
  let progress: ImportProgress = { recordsRead: 0, recordsRejected: 0, errors: [] };
  try {
    await pipeline(Readable.from(imports.chunks(id)), createWriteStream(file), { signal });
    const finished = await importRecords(context, {
      path: file,
      importId: id,
      complete: row.complete,
      signal,
      onProgress: async (current) => {
        progress = current;
        await imports.progress(id, current);
      },
    });
    log.info(importSummary(row, finished), 'feed import done');
  } catch (error) {
    if (!(error instanceof ImportError)) {
      if (row.attempts < maxFailures || isDatabaseAway(error)) throw error;
      context.log.error({ importId: id, err: error }, 'feed import given up');
      await giveUp(context, id);
      return;
    }
    // The file will be no better next time.
    await imports.fail(id, {
      ...progress,
      errors: [{ pointer: '', detail: error.message }, ...progress.errors],
    });
    log.warn({ importId: id, code: error.code, err: error }, 'feed import failed');
  }
}

async function giveUp({ imports }: WorkerContext, id: ImportId): Promise<void> {
  const detail =
    'The import failed again and again for an internal reason; the log of the advisory-worker says more.';
  await imports.fail(id, { recordsRead: 0, recordsRejected: 0, errors: [{ pointer: '', detail }] });
}

function importSummary(
  row: ImportRow,
  finished: { recordsRead: number; recordsChanged: number; hostsCounted: number },
) {
  const { recordsRead, recordsChanged, hostsCounted } = finished;
  return { importId: row.id, recordsRead, recordsChanged, hostsCounted };
}

async function runSync(
  context: WorkerContext,
  feedId: string,
  {
    file,
    signal,
    lastAttempt,
  }: { readonly file: string; readonly signal: AbortSignal; readonly lastAttempt: boolean },
): Promise<void> {
  const feed = feeds.find(({ id }) => id === feedId);
  const row = await context.feeds.find(feedId);
  if (feed === undefined || row === null) {
    context.log.warn({ feedId }, 'sync of an unknown feed');
    return;
  }
  try {
    const source = { url: feedUrl(context.feedsBaseUrl, feed), known: row, path: file, signal };
    const fetched = await fetchFeed(source, context.addressPolicy);
    if (fetched.kind === 'not_modified') {
      await context.feeds.confirm(feedId, fetched.version);
      context.log.info({ feedId }, 'feed is unchanged');
      return;
    }
    const finished = await importRecords(context, {
      path: file,
      importId: null,
      complete: true,
      signal,
      onProgress: () => Promise.resolve(),
    });
    if (!finished.feedIds.includes(feedId))
      throw new ImportError('no_records', `Nothing in the file is of ${feedId}.`);
    await context.feeds.synced(feedId, fetched.version);
    const { recordsRead, recordsChanged, recordsRemoved, recordsRejected, hostsCounted } = finished;
    context.log.info(
      { feedId, recordsRead, recordsChanged, recordsRemoved, recordsRejected, hostsCounted },
      'feed sync done',
    );
  } catch (error) {
    if (!(error instanceof ImportError)) {
      if (lastAttempt)
        await context.feeds.fail(feedId, 'The sync failed for an internal reason; the log says more.');
      throw error;
    }
    await context.feeds.fail(feedId, error.message);
    context.log.warn({ feedId, code: error.code, err: error }, 'feed sync failed');
  }
}

/** Where a feed's file lies below the base URL, whose own path is kept. */
function feedUrl(baseUrl: string, feed: FeedDefinition): URL {
  const base = baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`;
  return new URL(feed.path.split('/').map(encodeURIComponent).join('/'), base);
}
