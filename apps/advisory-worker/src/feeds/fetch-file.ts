import { createHash } from 'node:crypto';
import path from 'node:path';
import { type FeedFile, rulesVersion } from '@plimsoll/advisories';
import type { SyncedFile } from '@plimsoll/db';
import { dropKeptFile } from './downloads/kept-file.ts';
import type { FeedAccess } from './feed-access.ts';
import type { FeedVersion } from './feed-source.ts';
import { FetchError } from './fetch-error.ts';
import { type FetchedFeed, fetchFeed } from './fetch-feed.ts';
import { fetchPages, isPaged } from './fetch-pages.ts';
import { fileKey } from './file-key.ts';
import { type LocatedFile, locateFile } from './locate-file.ts';
import type { SyncContext } from './sync-context.ts';
import type { SyncRun } from './sync-run.ts';
import { tryAddresses } from './try-addresses.ts';

/** A file of a feed that was fetched, or that is still the imported one. */
export interface FetchedFile {
  readonly file: FeedFile;
  readonly url: URL;
  /** Path of the fetched file; null if it was not fetched because it is the imported one. */
  readonly path: string | null;
  readonly isNew: boolean;
  readonly synced: SyncedFile;
}

/** The file to fetch. */
export interface FileToFetch {
  readonly feedId: string;
  readonly file: FeedFile;
  /** The imported files by key. */
  readonly before: ReadonlyMap<string, SyncedFile>;
  readonly run: SyncRun;
}

/** The part of a sync's context that fetches files. */
export type FetchContext = FeedAccess & Pick<SyncContext, 'log' | 'mirrors'>;

/** No version is known: the file is fetched in any case. */
export const unknownVersion: FeedVersion = { etag: null, lastModified: null };

/**
 * Fetches a file unless it is the imported one, from the first of its addresses that has it; null for a
 * repository that may be missing and is. Throws FetchError, or another ImportError for a text that is not
 * an index.
 */
export async function fetchFile(context: FetchContext, wanted: FileToFetch): Promise<FetchedFile | null> {
  const { feedId, file, before } = wanted;
  return tryAddresses(context, { feedId, file, before: [...before.keys()] }, async (url) => {
    try {
      return await fetchAt(context, url, wanted);
    } catch (error) {
      // Publishers do not replace an index and the file that it names at the same time.
      if (error instanceof StaleIndexError) return await fetchAt(context, url, wanted);
      throw error;
    }
  });
}

/** The file that an index names is missing or has other content. */
class StaleIndexError extends FetchError {}

/** Fetches the file at an address, or that the index at this address names. */
async function fetchAt(
  context: FetchContext,
  address: URL,
  { file, before, run: { signal } }: FileToFetch,
): Promise<FetchedFile | null> {
  context.tracker.enter('listing');
  const search = { path: path.join(context.downloads.path, 'index'), signal };
  const located = await locateFile(context, address, search);
  const { url } = located;
  const target = targetOf(context, url);
  context.tracker.enter('downloading');
  const standing = before.get(fileKey(url)) ?? null;
  // Other rules may read more from the same file.
  const known = standing !== null && standing.rules === rulesVersion ? standing : null;
  const source = { url, known: known ?? unknownVersion, path: target, signal, isKept: true };
  const result = await fetchNamed(context, located, source);
  const digest = result.kind === 'fetched' ? result.digest : known?.digest;
  if (digest !== undefined) await refuseOther(located, digest, target);
  if (result.kind === 'not_modified' && known === null)
    throw new FetchError(url, 'the server answers "not modified" for a file that was never fetched', {
      failure: 'unexpected_status',
    });
  if (result.kind === 'not_modified' && known !== null)
    return { file, url, path: null, isNew: false, synced: { ...known, ...result.version } };
  if (digest === undefined) return null;
  const synced = { url: fileKey(url), ...result.version, digest, rules: rulesVersion, release: file.release };
  const isNew = known === null || Buffer.compare(known.digest, digest) !== 0;
  return { file, url, path: target, isNew, synced };
}

/** Fetches a file. Throws StaleIndexError if an index names it and it is not there. */
async function fetchNamed(
  context: FetchContext,
  { url, isNamed }: LocatedFile,
  source: Parameters<typeof fetchFeed>[0],
): Promise<FetchedFeed> {
  try {
    return await (isPaged(url) ? fetchPages(source, context) : fetchFeed(source, context));
  } catch (error) {
    if (!isNamed || !(error instanceof FetchError)) throw error;
    // The index is there, so that the repository is not missing (`isSparse`).
    if (error.code === 'denied') throw error.with({ code: 'fetch_failed' });
    if (error.failure !== 'not_found') throw error;
    throw new StaleIndexError(url, "its publisher's index names it, and it is not there", {
      failure: 'unstable',
      cause: error,
    });
  }
}

/** Where a file of a feed is stored: the same place in each sync, so that a later one finds it. */
export function targetOf({ downloads }: Pick<SyncContext, 'downloads'>, url: URL): string {
  return path.join(downloads.path, createHash('sha256').update(url.href).digest('hex').slice(0, 32));
}

/** Throws if a file differs from the one that its repository's index names, and does not keep it. */
async function refuseOther({ url, sha256 }: LocatedFile, digest: Uint8Array, target: string): Promise<void> {
  if (sha256 === null || Buffer.from(digest).toString('hex') === sha256) return;
  await dropKeptFile(target);
  throw new StaleIndexError(url, "it is not the file that the repository's index names", {
    failure: 'unstable',
  });
}
