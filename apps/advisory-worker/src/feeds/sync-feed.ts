import path from 'node:path';
import { type FeedFile, feedOf, filesOf, filesToSync, rulesVersion } from '@plimsoll/advisories';
import type { SyncedFile } from '@plimsoll/db';
import { type Release, shownUrl } from '@plimsoll/model';
import type { FileToRead } from '@plimsoll/pipeline';
import { ImportError, importRecords } from '@plimsoll/pipeline';
import type { WorkerContext } from '../worker-context.ts';
import type { FeedVersion } from './feed-source.ts';
import { urlOf } from './feed-sources.ts';
import { FetchError, failureCauseOf } from './fetch-error.ts';
import { fetchFeed } from './fetch-feed.ts';
import { fileKey, placeOf } from './file-key.ts';
import { type LocatedFile, locateFile } from './locate-file.ts';
import { archiveListOf, syncChanges, syncSummary } from './sync-changes.ts';

/** The parameters of a sync. */
export interface SyncRun {
  /** An empty folder for fetched files. */
  readonly folder: string;
  readonly signal: AbortSignal;
  /** Whether no further attempt follows. */
  readonly lastAttempt: boolean;
}

/**
 * Fetches the changed files of a feed and stores their records: all files or none. If the feed cannot be fetched or
 * parsed, its stored records stay, and the reason is stored.
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
  const fetched = await fetchAll(context, { feedId, files, run });
  if (fetched.every(({ isNew }) => !isNew)) {
    await context.feeds.confirm(
      feedId,
      fetched.map(({ synced }) => synced),
    );
    context.log.info({ feedId }, 'feed is unchanged');
    return;
  }
  const scope = scopeOf(fetched);
  const due = fetched.filter(
    ({ file }) => scope === null || (file.release !== null && scope.includes(file.release)),
  );
  const finished = await importRecords(context, {
    files: await readable(context, { feedId, due, run }),
    importId: null,
    complete: { releases: scope },
    sync: { feedId, files: fetched.map(({ synced }) => synced) },
    signal: run.signal,
    onProgress: () => Promise.resolve(),
  });
  context.log.info(syncSummary(feedId, finished), 'feed sync done');
}

/** Stores why a sync failed. Rethrows errors that neither the feed nor the connection caused. */
async function noteFailure(
  { feeds: store, log }: WorkerContext,
  feedId: string,
  { lastAttempt, signal }: SyncRun,
  error: unknown,
): Promise<void> {
  const cause = failureCauseOf(error);
  const isExpected = error instanceof ImportError;
  if (isExpected || (lastAttempt && !signal.aborted)) {
    const sentence = isExpected ? error.message : internalSentences[cause === 'disk' ? 'disk' : 'internal'];
    const retryAfterMs = error instanceof FetchError ? error.retryAfterMs : null;
    await store.fail(feedId, { cause, sentence, retryAfterMs });
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
  { feeds: store, enabledFeeds, mirrors: { ownFiles } }: WorkerContext,
  feedId: string,
): Promise<readonly FeedFile[]> {
  const wanted = filesToSync(feedId, enabledFeeds, await store.fleetReleases(), ownFiles);
  return wanted.length > 0 ? wanted : filesOf(feedId, ownFiles);
}

/** The releases with a new file; null if files are not per release, so that records missing in them are removed. */
function scopeOf(files: readonly FetchedFile[]): readonly Release[] | null {
  if (files.some(({ file }) => file.release === null)) return null;
  return [
    ...new Set(files.flatMap(({ file, isNew }) => (isNew && file.release !== null ? [file.release] : []))),
  ];
}

interface FetchedFile {
  readonly file: FeedFile;
  readonly url: URL;
  /** Path of the fetched file; null if it was not fetched because it is the imported one. */
  readonly path: string | null;
  readonly isNew: boolean;
  readonly synced: SyncedFile;
}

interface Fetching {
  readonly feedId: string;
  readonly files: readonly FeedFile[];
  readonly run: SyncRun;
}

async function fetchAll(
  context: WorkerContext,
  { feedId, files, run }: Fetching,
): Promise<readonly FetchedFile[]> {
  const before = new Map((await context.feeds.files(feedId)).map((file) => [file.url, file] as const));
  const fetched: FetchedFile[] = [];
  for (const [index, file] of files.entries()) {
    const target = path.join(run.folder, String(index));
    const search = { path: target, signal: run.signal };
    const located = await locate(context, { feedId, file, search, before: [...before.keys()] });
    if (located === null) continue;
    const { url } = located;
    const standing = before.get(fileKey(url)) ?? null;
    // Other rules may read more from the same file.
    const known = standing !== null && standing.rules === rulesVersion ? standing : null;
    const result = await fetchFeed(
      { url, known: known ?? unknownVersion, path: target, signal: run.signal },
      context,
    );
    const digest = result.kind === 'fetched' ? result.digest : known?.digest;
    if (digest !== undefined) refuseOther(located, digest);
    if (result.kind === 'not_modified' && known !== null) {
      const synced = { ...known, ...result.version };
      fetched.push({ file, url, path: null, isNew: false, synced });
    } else if (result.kind === 'fetched') {
      const { version } = result;
      const isNew = known === null || Buffer.compare(known.digest, result.digest) !== 0;
      fetched.push({
        file,
        url,
        path: target,
        isNew,
        synced: { url: fileKey(url), ...version, digest: result.digest, rules: rulesVersion },
      });
    } else
      throw new FetchError(url, 'the server answers "not modified" for a file that was never fetched', {
        failure: 'unexpected_status',
      });
  }
  // Records of a file that the feed no longer has are removed.
  const gone = [...before.keys()].some((url) => !fetched.some((file) => fileKey(file.url) === url));
  return gone ? fetched.map((file) => ({ ...file, isNew: true })) : fetched;
}

/** Throws ImportError if a file differs from the one that its repository's index names. */
function refuseOther({ url, sha256 }: LocatedFile, digest: Uint8Array): void {
  if (sha256 === null || Buffer.from(digest).toString('hex') === sha256) return;
  throw new FetchError(url, "it is not the file that the repository's index names", { failure: 'unstable' });
}

interface Locating {
  readonly feedId: string;
  readonly file: FeedFile;
  readonly search: { readonly path: string; readonly signal: AbortSignal };
  /** The keys of the imported files. */
  readonly before: readonly string[];
}

/** Locates a file; null for a repository that may be missing and is. */
async function locate(
  context: WorkerContext,
  { feedId, file, search, before }: Locating,
): Promise<LocatedFile | null> {
  const url = urlOf(feedId, file, context.mirrors);
  try {
    return await locateFile(context, url, search);
  } catch (error) {
    if (!(error instanceof ImportError) || file.isSparse !== true || !isMissing(error, url, before))
      throw error;
    context.log.info({ feedId, url: shownUrl(url), detail: error.message }, 'repository without updateinfo');
    return null;
  }
}

/** Whether a repository may be missing: also one with denied access, unless something was imported from it before. */
function isMissing({ code }: ImportError, url: URL, before: readonly string[]): boolean {
  if (code !== 'denied') return code === 'not_there';
  // The part above `repodata/`, or above the version in the path of a list of mirrors.
  const repository = placeOf(url).replace(/(repodata\/repomd\.xml|[^/]+\/[^/]+\/mirror\.list)$/, '');
  return !before.some((key) => key.startsWith(repository));
}

const unknownVersion: FeedVersion = { etag: null, lastModified: null };

/** All files if one is new: records of the others are needed to find the removed ones. */
async function readable(
  context: WorkerContext,
  {
    feedId,
    due,
    run,
  }: { readonly feedId: string; readonly due: readonly FetchedFile[]; readonly run: SyncRun },
): Promise<readonly FileToRead[]> {
  const format = feedOf(feedId)?.format ?? null;
  const files: FileToRead[] = [];
  for (const [index, { file, url, path: at }] of due.entries()) {
    const target = at ?? path.join(run.folder, `again-${index}`);
    if (at === null) {
      await fetchFeed({ url, known: unknownVersion, path: target, signal: run.signal }, context);
    }
    files.push({ path: target, format, release: file.release });
  }
  return files;
}
