import path from 'node:path';
import { type FeedFile, feedOf, filesOf, filesToSync } from '@plimsoll/advisories';
import type { SyncEnd, SyncFailure } from '@plimsoll/db';
import { type Release, shownUrl } from '@plimsoll/model';
import type { FileToRead } from '@plimsoll/pipeline';
import { ImportError, importRecords, UnreadableFile } from '@plimsoll/pipeline';
import type { WorkerContext } from '../worker-context.ts';
import { failureCauseOf } from './fetch-error.ts';
import { fetchFeed } from './fetch-feed.ts';
import { type FetchedFile, unknownVersion } from './fetch-file.ts';
import { type FetchedFiles, failureOf, fetchFiles } from './fetch-files.ts';
import { archiveListOf, syncChanges, syncSummary } from './sync-changes.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Fetches the changed files of a feed and stores their records, for each release all files or none. If a
 * release, or the whole feed, cannot be fetched or parsed, its stored records stay, and the reason is stored.
 */
export async function syncFeed(context: WorkerContext, feedId: string, run: SyncRun): Promise<void> {
  if ((await context.feeds.find(feedId)) === null || filesOf(feedId, context.mirrors.ownFiles).length === 0) {
    context.log.warn({ feedId }, 'sync of a feed that has no files');
    return;
  }
  try {
    const files = await filesWanted(context, feedId);
    const list = archiveListOf(context, feedId, files);
    if (list !== null && (await syncChanges(context, feedId, { list, ...run }))) return;
    await syncFiles(context, feedId, { files, run });
    // The archive is older than the newest changes.
    if (list !== null) await syncChanges(context, feedId, { list, ...run });
  } catch (error) {
    await noteFailure(context, feedId, run, error);
  }
}

/** Fetches the files and stores the records of the changed ones. */
async function syncFiles(
  context: WorkerContext,
  feedId: string,
  { files, run }: { readonly files: readonly FeedFile[]; readonly run: SyncRun },
): Promise<void> {
  const releases = [...new Set(files.flatMap(({ release }) => release ?? []))];
  let fetched = await fetchFiles(context, { feedId, files, run });
  for (;;) {
    const unreadable = await store(context, { feedId, releases, fetched, run });
    if (unreadable === null) return;
    fetched = withoutRelease(fetched, unreadable, await context.feeds.files(feedId));
  }
}

interface Storing {
  readonly feedId: string;
  /** The wanted releases with files of their own. */
  readonly releases: readonly Release[];
  readonly fetched: FetchedFiles;
  readonly run: SyncRun;
}

/** A release with a file that cannot be read, and the reason. */
interface UnreadableRelease {
  readonly release: Release;
  readonly failure: SyncFailure;
}

/**
 * Stores the fetched files. If a file cannot be read, returns its release and the reason and stores nothing;
 * throws the error if no other release is left.
 */
async function store(
  context: WorkerContext,
  { feedId, releases, fetched, run }: Storing,
): Promise<UnreadableRelease | null> {
  const sync = endOf(feedId, releases, fetched);
  const scope = scopeOf(fetched.files);
  if (fetched.files.every(({ isNew }) => !isNew)) {
    await context.feeds.confirm(sync);
    context.log.info({ feedId, failed: [...fetched.failures.keys()] }, 'feed is unchanged');
    return null;
  }
  const due = fetched.files.filter(
    ({ file }) => scope === null || (file.release !== null && scope.includes(file.release)),
  );
  const files = await readable(context, { feedId, due, run });
  try {
    const finished = await importRecords(context, {
      files: files.map(({ read }) => read),
      importId: null,
      complete: { releases: scope },
      sync,
      signal: run.signal,
      onProgress: () => Promise.resolve(),
    });
    const failed = [...fetched.failures.keys()];
    context.log.info({ ...syncSummary(feedId, finished), failed }, 'feed sync done');
    return null;
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error;
    const url = files.find(({ read }) => read === error.file)?.url;
    const named = new ImportError(
      error.code,
      url === undefined ? error.message : `${shownUrl(url)}: ${error.message}`,
      { cause: error },
    );
    const { release } = error.file;
    const others = fetched.files.some(({ file }) => file.release !== release);
    if (release === null || !others) throw named;
    return { release, failure: failureOf(named) };
  }
}

/** The end of a sync that stored the fetched files. */
function endOf(
  feedId: string,
  releases: readonly Release[],
  { files, failures, kept }: FetchedFiles,
): SyncEnd {
  return {
    feedId,
    files: [...files.map(({ synced }) => synced), ...kept],
    releases: releases.map((release) => ({ release, failure: failures.get(release) ?? null })),
  };
}

function withoutRelease(
  { files, failures, kept }: FetchedFiles,
  { release, failure }: UnreadableRelease,
  before: SyncEnd['files'],
): FetchedFiles {
  return {
    files: files.filter(({ file }) => file.release !== release),
    failures: new Map([...failures, [release, failure]]),
    kept: [...kept, ...before.filter((file) => file.release === release)],
  };
}

/** Stores why a sync failed. Rethrows errors that neither the feed nor the connection caused. */
async function noteFailure(
  { feeds, log }: WorkerContext,
  feedId: string,
  { lastAttempt, signal }: SyncRun,
  error: unknown,
): Promise<void> {
  const cause = failureCauseOf(error);
  const isExpected = error instanceof ImportError;
  if (isExpected) await feeds.fail(feedId, failureOf(error));
  else if (lastAttempt && !signal.aborted) {
    const sentence = internalSentences[cause === 'disk' ? 'disk' : 'internal'];
    await feeds.fail(feedId, { cause, sentence, retryAfterMs: null });
  }
  if (!isExpected) throw error;
  log.warn({ feedId, cause, err: error }, 'feed sync failed');
}

const internalSentences = {
  disk: 'The sync failed because files cannot be written on this server.',
  internal: 'The sync failed for an internal reason; the log of the advisory-worker says more.',
} as const;

/** Files the fleet needs; all of them if it needs none (manual sync). */
async function filesWanted(
  { feeds, enabledFeeds, mirrors: { ownFiles } }: WorkerContext,
  feedId: string,
): Promise<readonly FeedFile[]> {
  const wanted = filesToSync(feedId, enabledFeeds, await feeds.fleetReleases(), ownFiles);
  return wanted.length > 0 ? wanted : filesOf(feedId, ownFiles);
}

/** The releases with a new file; null if files are not per release, so that records missing in them are removed. */
function scopeOf(files: readonly FetchedFile[]): readonly Release[] | null {
  if (files.some(({ file }) => file.release === null)) return null;
  return [
    ...new Set(files.flatMap(({ file, isNew }) => (isNew && file.release !== null ? [file.release] : []))),
  ];
}

interface ReadableFile {
  readonly url: URL;
  readonly read: FileToRead;
}

/** All files if one is new: records of the others are needed to find the removed ones. */
async function readable(
  context: WorkerContext,
  {
    feedId,
    due,
    run,
  }: { readonly feedId: string; readonly due: readonly FetchedFile[]; readonly run: SyncRun },
): Promise<readonly ReadableFile[]> {
  const format = feedOf(feedId)?.format ?? null;
  const files: ReadableFile[] = [];
  for (const [index, { file, url, path: at }] of due.entries()) {
    const target = at ?? path.join(run.folder, `again-${index}`);
    if (at === null) {
      await fetchFeed({ url, known: unknownVersion, path: target, signal: run.signal }, context);
    }
    files.push({ url, read: { path: target, format, release: file.release } });
  }
  return files;
}
