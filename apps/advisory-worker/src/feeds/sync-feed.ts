import { type FeedFile, feedOf, filesToSync, supportedReleases } from '@plimsoll/advisories';
import type { SyncEnd, SyncFailure } from '@plimsoll/db';
import { type Release, shownUrl } from '@plimsoll/model';
import type { FileToRead } from '@plimsoll/pipeline';
import { ImportError, importRecords, UnreadableFile } from '@plimsoll/pipeline';
import { dropKeptFile } from './downloads/kept-file.ts';
import { fetchFeed } from './fetch-feed.ts';
import { type FetchedFile, targetOf, unknownVersion } from './fetch-file.ts';
import { type FetchedFiles, failureOf, fetchFiles } from './fetch-files.ts';
import { archiveListOf, followImport, syncChanges, syncSummary } from './sync-changes.ts';
import type { SyncContext } from './sync-context.ts';
import type { SyncRun } from './sync-run.ts';

/**
 * Fetches the changed files of a feed and stores their records: of each release all files or none. If a release, or the
 * whole feed, cannot be fetched or parsed, its stored records stay. Keeps the downloads of releases that failed. Throws
 * the error of a feed of which nothing could be stored.
 */
export async function syncFeed(context: SyncContext, feedId: string, run: SyncRun): Promise<void> {
  const files = await filesWanted(context, feedId);
  const { signal } = run;
  const list = archiveListOf(context, feedId, files);
  const areChangesStored = list !== null && (await syncChanges(context, feedId, { list, signal }));
  if (!areChangesStored) {
    const { failures } = await syncFiles(context, feedId, { files, run });
    // The archive is older than the newest changes.
    if (list !== null) await syncChanges(context, feedId, { list, signal });
    if (failures.size > 0) return;
  }
  await context.downloads.remove();
}

/** Fetches the files and stores the records of the changed ones. Removes the files that were stored or are unreadable. */
async function syncFiles(
  context: SyncContext,
  feedId: string,
  { files, run }: { readonly files: readonly FeedFile[]; readonly run: SyncRun },
): Promise<FetchedFiles> {
  const releases = [...new Set(files.flatMap(({ release }) => release ?? []))];
  let fetched = await fetchFiles(context, { feedId, files, run });
  for (;;) {
    const unreadable = await store(context, { feedId, releases, fetched, run });
    const over = fetched.files.filter(
      ({ file }) => unreadable === null || file.release === unreadable.release,
    );
    for (const { url } of over) await dropKeptFile(targetOf(context, url));
    if (unreadable === null) return fetched;
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
  context: SyncContext,
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
      ...followImport(context.tracker),
    });
    const failed = [...fetched.failures.keys()];
    context.log.info({ ...syncSummary(feedId, finished), failed }, 'feed sync done');
    return null;
  } catch (error) {
    if (!(error instanceof UnreadableFile) || run.signal.aborted) throw error;
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

/** Files the fleet needs; all of them if it needs none (manual sync). */
async function filesWanted(
  { feeds, enabledFeeds, log, mirrors: { ownFiles } }: SyncContext,
  feedId: string,
): Promise<readonly FeedFile[]> {
  const fleet = await feeds.fleetReleases();
  const supported = supportedReleases(feedId, await feeds.lifecycles(), new Date());
  if (feedOf(feedId)?.filesFor !== undefined && supported.length === 0)
    log.info(
      { feedId },
      'no stored lifecycle names a supported release: a sync of all releases uses those known to this version',
    );
  const choice = { ownFiles, supported };
  const wanted = filesToSync(feedId, enabledFeeds, fleet, choice);
  return wanted.length > 0 ? wanted : filesToSync(feedId, { kind: 'named', ids: [feedId] }, fleet, choice);
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
  context: SyncContext,
  {
    feedId,
    due,
    run,
  }: { readonly feedId: string; readonly due: readonly FetchedFile[]; readonly run: SyncRun },
): Promise<readonly ReadableFile[]> {
  const format = feedOf(feedId)?.format ?? null;
  const files: ReadableFile[] = [];
  for (const { file, url, path: at } of due) {
    const target = targetOf(context, url);
    if (at === null) {
      context.tracker.enter('downloading');
      const source = { url, known: unknownVersion, path: target, signal: run.signal, isKept: true };
      await fetchFeed(source, context);
    }
    files.push({ url, read: { path: target, format, release: file.release } });
  }
  return files;
}
