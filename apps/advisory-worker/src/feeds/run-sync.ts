import { filesOf } from '@plimsoll/advisories';
import { recountAndEndWaivers, type SyncFailure } from '@plimsoll/db';
import { ImportError } from '@plimsoll/pipeline';
import type { WorkerContext } from '../worker-context.ts';
import { type DownloadFolder, keptDays, openDownloadFolder } from './downloads/download-folder.ts';
import { openConnectionPool } from './feed-connection.ts';
import { FetchError, failureCauseOf } from './fetch-error.ts';
import { failureOf } from './fetch-files.ts';
import { TookTooLong } from './progress/sync-limits.ts';
import { SyncTracker } from './progress/sync-tracker.ts';
import { watchSync } from './progress/watch-sync.ts';
import { syncFeed } from './sync-feed.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Syncs a feed and stores its progress; if the sync fails, stores the cause. First counts the hosts that an earlier
 * sync left uncounted. The downloads of a failed sync are kept for the next one. Rethrows errors that neither the feed
 * nor the connection caused.
 */
export async function runSync(context: WorkerContext, feedId: string, run: SyncRun): Promise<void> {
  const { feeds, syncs, log, limits } = context;
  if ((await feeds.find(feedId)) === null || filesOf(feedId, context.mirrors.ownFiles).length === 0) {
    log.warn({ feedId }, 'sync of a feed that has no files');
    return;
  }
  await syncs.dropOld(keptDays);
  await syncs.begin(feedId);
  const tracker = new SyncTracker();
  const connections = openConnectionPool(context);
  const watch = watchSync({
    tracker,
    limits,
    signal: run.signal,
    report: (progress, idleMs) => syncs.report(feedId, progress, idleMs),
    onError: (err) => log.warn({ feedId, err }, 'the progress of a sync was not stored'),
  });
  let downloads: DownloadFolder | null = null;
  try {
    await countLeftHosts(context, tracker, watch.signal);
    downloads = await openDownloadFolder(context.downloadSettings, feedId);
    const shared = { ...context, tracker, connections, downloads };
    await syncFeed(shared, feedId, { ...run, signal: watch.signal });
  } catch (error) {
    const { reason } = watch.signal;
    const cause: unknown = reason instanceof TookTooLong ? reason : error;
    if (isSpoilt(cause)) await downloads?.remove();
    await noteFailure(context, feedId, run, cause);
  } finally {
    await watch.stop();
    await connections.destroy();
    // If the progress cannot be deleted, it soon reads as interrupted.
    await syncs.end(feedId).catch((err: unknown) => log.warn({ feedId, err }, 'a sync was not ended'));
  }
}

/**
 * Counts the hosts of changes that were stored but not counted: an earlier sync failed after it had stored its records,
 * or another worker died. The next sync of such a feed can find nothing new, and would leave the hosts as they are.
 */
async function countLeftHosts(
  { db, counter, log }: WorkerContext,
  tracker: SyncTracker,
  signal: AbortSignal,
): Promise<void> {
  // Counting has no stall limit.
  tracker.enter('matching');
  const hosts = await recountAndEndWaivers(db, { counter, signal });
  tracker.enter('listing');
  if (hosts > 0) log.info({ hosts }, 'hosts of earlier changes counted');
}

/** Whether the downloads are useless for the next sync: they could not be read, or do not fit their index. */
function isSpoilt(error: unknown): boolean {
  if (error instanceof FetchError) return error.failure === 'unstable' || error.failure === 'too_large';
  return error instanceof ImportError;
}

/** Stores the cause of a failure. Rethrows errors that neither the feed nor the connection caused. */
async function noteFailure(
  { feeds, log }: WorkerContext,
  feedId: string,
  { lastAttempt, signal }: SyncRun,
  error: unknown,
): Promise<void> {
  const failure = expectedFailure(error);
  const cause = failureCauseOf(error);
  if (failure !== null) await feeds.fail(feedId, failure);
  else if (lastAttempt && !signal.aborted) {
    const sentence = internalSentences[cause === 'disk' ? 'disk' : 'internal'];
    await feeds.fail(feedId, { cause, sentence, retryAfterMs: null });
  }
  if (failure === null) throw error;
  log.warn({ feedId, cause, err: error }, 'feed sync failed');
}

/** The failure, if the feed, the connection or the disk caused it; null for other errors. */
function expectedFailure(error: unknown): SyncFailure | null {
  if (error instanceof ImportError) return failureOf(error);
  if (!(error instanceof TookTooLong)) return null;
  return { cause: failureCauseOf(error), sentence: error.message, retryAfterMs: null };
}

const internalSentences = {
  disk: 'The sync failed because files cannot be written on this server.',
  internal: 'The sync failed for an internal reason; the log of the advisory-worker says more.',
} as const;
