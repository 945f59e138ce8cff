import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ImportProgress, type ImportRow, isDatabaseAway } from '@plimsoll/db';
import type { FeedFormat, ImportId, Release } from '@plimsoll/model';
import { type FinishedImport, ImportError, importRecords } from '@plimsoll/pipeline';
import type { JobHandler, jobs, PayloadOf } from '@plimsoll/queue';
import type { WorkerContext } from '../worker-context.ts';
import { type DownloadFolder, openDownloadFolder } from './downloads/download-folder.ts';
import { TookTooLong } from './progress/sync-limits.ts';
import { SyncTracker } from './progress/sync-tracker.ts';
import { watchSync } from './progress/watch-sync.ts';
import { runSync } from './run-sync.ts';

type SyncPayload = PayloadOf<typeof jobs, 'advisory-sync'>;

/** An import started this often without an end is given up: it probably breaks the worker each time. */
const maxStarts = 10;
/** The same after this many failures that the file did not cause. */
const maxFailures = 4;

/** Interval for storing an import's state: each time is a commit that waits for the disk. */
const progressEveryMs = 500;

/** Handles `advisory-sync`: imports an uploaded file, or fetches a feed and imports the changes. */
export function createSyncHandler(context: WorkerContext): JobHandler<SyncPayload> {
  return async (payload, { signal, lastAttempt }) => {
    if (payload.kind === 'sync') await runSync(context, payload.feedId, { signal, lastAttempt });
    else await importUpload(context, payload.importId, signal);
  };
}

/** Imports an uploaded file; ends an import that does not advance. */
async function importUpload(context: WorkerContext, id: ImportId, signal: AbortSignal): Promise<void> {
  const tracker = new SyncTracker();
  const watch = watchSync({
    tracker,
    limits: context.limits,
    signal,
    report: () => Promise.resolve(),
    onError: () => undefined,
  });
  try {
    await runImport(context, id, { signal: watch.signal, tracker });
  } finally {
    await watch.stop();
  }
}

interface ImportRun {
  readonly signal: AbortSignal;
  readonly tracker: SyncTracker;
}

async function runImport(
  context: WorkerContext,
  id: ImportId,
  { signal, tracker }: ImportRun,
): Promise<void> {
  const { imports, log } = context;
  const row = await imports.begin(id);
  if (row === null) return;
  if (row.attempts > maxStarts) {
    await giveUp(context, id);
    return;
  }
  // Already validated by API and CLI; the import rejects an unknown release.
  const release = row.release === '' ? null : (row.release as Release);
  let progress: ImportProgress = { recordsRead: 0, recordsRejected: 0, errors: [] };
  let toldAt = performance.now();
  let folder: DownloadFolder | null = null;
  try {
    // On the disk for downloads, where a later sync removes what a killed process leaves.
    folder = await openDownloadFolder(context.downloadSettings, `import-${id}`);
    const file = path.join(folder.path, 'feed');
    await pipeline(Readable.from(imports.chunks(id)), createWriteStream(file), { signal });
    const finished = await importRecords(context, {
      files: [{ path: file, format: formatOf(row), release }],
      importId: id,
      complete: row.complete ? { releases: release === null ? null : [release], asOf: row.asOf } : null,
      sync: null,
      signal,
      onRead: () => tracker.enter('matching'),
      onProgress: async (current) => {
        progress = current;
        tracker.read(current.recordsRead);
        if (performance.now() - toldAt < progressEveryMs) return;
        toldAt = performance.now();
        await imports.progress(id, current);
      },
    });
    log.info(importSummary(row, finished), 'feed import done');
  } catch (error) {
    const { reason } = signal;
    if (!(error instanceof ImportError) && !(reason instanceof TookTooLong)) {
      if (row.attempts < maxFailures || isDatabaseAway(error)) throw error;
      context.log.error({ importId: id, err: error }, 'feed import given up');
      await giveUp(context, id);
      return;
    }
    // A retry would not improve the file.
    await imports.fail(id, {
      ...progress,
      errors: [{ pointer: '', detail: messageOf(error, reason) }, ...progress.errors],
    });
    log.warn({ importId: id, err: error }, 'feed import failed');
  } finally {
    await folder?.remove();
  }
}

function messageOf(error: unknown, reason: unknown): string {
  if (reason instanceof TookTooLong) return reason.message;
  return error instanceof Error ? error.message : String(error);
}

/** The format that the sender gave; null: detected for each record. */
function formatOf({ format }: ImportRow): FeedFormat | null {
  return format === 'auto' ? null : (format as FeedFormat); // Only the API and the CLI write it.
}

async function giveUp({ imports }: WorkerContext, id: ImportId): Promise<void> {
  const detail =
    'The import failed again and again for an internal reason; the log of the advisory-worker says more.';
  await imports.fail(id, { recordsRead: 0, recordsRejected: 0, errors: [{ pointer: '', detail }] });
}

function importSummary(row: ImportRow, finished: FinishedImport) {
  const { recordsRead, recordsChanged, hostsCounted } = finished;
  const { readMs, mergeMs, matchMs, countMs } = finished;
  return {
    importId: row.id,
    recordsRead,
    recordsChanged,
    hostsCounted,
    readMs: Math.round(readMs),
    mergeMs: Math.round(mergeMs),
    matchMs: Math.round(matchMs),
    countMs: Math.round(countMs),
  };
}
