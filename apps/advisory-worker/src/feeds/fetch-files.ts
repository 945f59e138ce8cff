import type { FeedFile } from '@plimsoll/advisories';
import type { SyncedFile, SyncFailure } from '@plimsoll/db';
import type { Release } from '@plimsoll/model';
import { ImportError } from '@plimsoll/pipeline';
import { FetchError, failureCauseOf } from './fetch-error.ts';
import { type FetchedFile, fetchFile } from './fetch-file.ts';
import { fileKey } from './file-key.ts';
import type { SyncContext } from './sync-context.ts';
import type { SyncRun } from './sync-run.ts';

/** The files of a feed to fetch. */
export interface FilesToFetch {
  readonly feedId: string;
  readonly files: readonly FeedFile[];
  readonly run: SyncRun;
}

/** The fetched files of a feed. */
export interface FetchedFiles {
  readonly files: readonly FetchedFile[];
  /** The releases whose files were not all fetched; none of their files is in `files`. */
  readonly failures: ReadonlyMap<Release, SyncFailure>;
  /** The files of these releases that were imported before. */
  readonly kept: readonly SyncedFile[];
}

/**
 * Fetches files, release by release: a file that cannot be fetched fails only its release. Throws the first
 * error if no release is left, and any error of a file for all releases.
 */
export async function fetchFiles(
  context: SyncContext,
  { feedId, files, run }: FilesToFetch,
): Promise<FetchedFiles> {
  const before = new Map((await context.feeds.files(feedId)).map((file) => [file.url, file] as const));
  const fetched: FetchedFile[] = [];
  const failures = new Map<Release, SyncFailure>();
  let first: unknown = null;
  context.tracker.expectFiles(files.length);
  for (const release of new Set(files.map((file) => file.release))) {
    try {
      if (first instanceof FetchError && first.failure === 'rate_limited') throw first;
      const own: FetchedFile[] = [];
      for (const file of files.filter((each) => each.release === release)) {
        const one = await fetchFile(context, { feedId, file, before, run });
        if (one !== null) own.push(one);
        context.tracker.fileDone();
      }
      fetched.push(...own);
    } catch (error) {
      if (release === null || !isOfOneRelease(error) || run.signal.aborted) throw error;
      first ??= error;
      failures.set(release, failureOf(error));
    }
  }
  if (first !== null && fetched.length === 0) throw first;
  const kept = [...before.values()].filter((file) => file.release !== null && failures.has(file.release));
  return { files: withGone(fetched, [...before.values()], kept), failures, kept };
}

/** The failure of one release. */
export function failureOf(error: ImportError): SyncFailure {
  const retryAfterMs = error instanceof FetchError ? error.retryAfterMs : null;
  return { cause: failureCauseOf(error), sentence: error.message, retryAfterMs };
}

/** Whether an error affects only one release; a full disk affects all. */
function isOfOneRelease(error: unknown): error is ImportError {
  return error instanceof ImportError && failureCauseOf(error) !== 'disk';
}

/** All files are new if the feed no longer has one of the imported ones, so that its records are removed. */
function withGone(
  fetched: readonly FetchedFile[],
  before: readonly SyncedFile[],
  kept: readonly SyncedFile[],
): readonly FetchedFile[] {
  const present = new Set([...fetched.map(({ url }) => fileKey(url)), ...kept.map(({ url }) => url)]);
  const gone = before.some(({ url }) => !present.has(url));
  return gone ? fetched.map((file) => ({ ...file, isNew: true })) : fetched;
}
