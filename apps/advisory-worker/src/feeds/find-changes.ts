import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { rulesVersion } from '@plimsoll/advisories';
import type { SyncedFile } from '@plimsoll/db';
import { shownUrl } from '@plimsoll/model';
import { ImportError } from '@plimsoll/pipeline';
import { type ChangedDocument, documentsChangedSince, idOfDocument } from './change-list.ts';
import { fetchFeed } from './fetch-feed.ts';
import { fileKey, placeOf } from './file-key.ts';
import { readFeedText } from './read-feed-text.ts';
import type { SyncContext } from './sync-context.ts';

/** Above this number of changed documents the whole archive is fetched instead. */
const maxChanges = 2_000;
const maxListBytes = 64 * 1024 * 1024;
/** An archive is packed before it is published: it may lack the changes of its last day. */
const packingMs = 24 * 60 * 60 * 1000;

/** How long later syncs retry a document that is listed but missing. */
const awaitMs = 24 * 60 * 60 * 1000;

/** The changes of a feed that is published as an archive and the documents that changed after it. */
export interface FeedChanges {
  /** The fetched documents. */
  readonly paths: readonly string[];
  /** Ids of the records whose documents were deleted. */
  readonly removedIds: readonly string[];
  /** The archive, and the time up to which its changes are imported, for the next sync. */
  readonly synced: readonly SyncedFile[];
}

/** Where to search for changes. */
export interface ChangeSearch {
  readonly feedId: string;
  /** The file that names the newest archive; the lists of changes are next to it. */
  readonly list: URL;
  readonly signal: AbortSignal;
}

/**
 * Fetches the documents that changed since the last sync of an archived feed. Null if the whole archive must
 * be read: these rules have not read it, or not from this place; it has no list of changes; or too much has
 * changed. Throws ImportError.
 */
export async function findChanges(context: SyncContext, search: ChangeSearch): Promise<FeedChanges | null> {
  const { list, signal } = search;
  const changesUrl = new URL('changes.csv', list);
  const stored = await context.feeds.files(search.feedId);
  const known = stored.find(({ url }) => url === fileKey(changesUrl)) ?? null;
  const folder = placeOf(new URL('.', list));
  const archive = stored.find(
    (file) => file !== known && file.rules === rulesVersion && file.url.startsWith(folder),
  );
  const since = archive === undefined ? null : sinceOf(archive, known);
  if (archive === undefined || since === null) return null;
  const at = path.join(context.downloads.path, 'list');
  context.tracker.enter('listing');
  const changes = await listOf(context, changesUrl, { path: at, signal }, since);
  if (changes === null || changes.length > maxChanges) return null;
  const deletions =
    (await listOf(context, new URL('deletions.csv', list), { path: at, signal }, since)) ?? [];
  const { current, deleted } = settle(changes, deletions);
  const { paths, missing } = await fetchDocuments(context, current, search);
  const newest = changes.at(-1)?.at ?? since;
  const awaited = missing.find(({ at: time }) => newest.getTime() - time.getTime() < awaitMs);
  const until = awaited?.at ?? newest;
  return {
    paths,
    removedIds: deleted.map((document) => idOfDocument(document.path)),
    synced: [archive, progressOf(changesUrl, until, archive)],
  };
}

/** The time from which changes are unknown; null if the publisher does not state the archive's age. */
function sinceOf(archive: SyncedFile, known: SyncedFile | null): Date | null {
  const progress = new Date(known?.lastModified ?? '');
  if (!Number.isNaN(progress.getTime())) return progress;
  const published = new Date(archive.lastModified ?? '');
  return Number.isNaN(published.getTime()) ? null : new Date(published.getTime() - packingMs);
}

/** The list of changes as a stored file: its time is the time up to which changes are imported. */
function progressOf(url: URL, until: Date, { digest }: SyncedFile): SyncedFile {
  const lastModified = until.toISOString();
  return { url: fileKey(url), etag: null, lastModified, digest, rules: rulesVersion, release: null };
}

/** Fetches a list and returns its documents; null if the server does not have the list. */
async function listOf(
  context: SyncContext,
  url: URL,
  target: { readonly path: string; readonly signal: AbortSignal },
  since: Date,
): Promise<readonly ChangedDocument[] | null> {
  try {
    const text = await readFeedText(context, url, { ...target, maxBytes: maxListBytes });
    const { documents, unreadLines } = documentsChangedSince(text, since);
    if (unreadLines > 0)
      context.log.warn(
        { url: shownUrl(url), unreadLines },
        'a list of changes has lines that do not describe a change',
      );
    return documents;
  } catch (error) {
    if (error instanceof ImportError && error.code === 'not_there') return null;
    throw error;
  }
}

/** A document in both lists is deleted if its deletion is the later entry. */
function settle(changes: readonly ChangedDocument[], deletions: readonly ChangedDocument[]) {
  const changedAt = new Map(changes.map((document) => [document.path, document.at]));
  const deleted = deletions.filter((document) => {
    const at = changedAt.get(document.path);
    return at === undefined || at <= document.at;
  });
  const gone = new Set(deleted.map((document) => document.path));
  return { deleted, current: changes.filter((document) => !gone.has(document.path)) };
}

/**
 * Fetches documents, oldest change first. Documents that are listed but missing are left for the next sync.
 */
async function fetchDocuments(
  context: SyncContext,
  documents: readonly ChangedDocument[],
  { feedId, list, signal }: ChangeSearch,
) {
  const unknown = { etag: null, lastModified: null };
  const target = path.join(context.downloads.path, 'documents');
  await mkdir(target, { recursive: true, mode: 0o700 });
  context.tracker.enter('downloading');
  context.tracker.expectFiles(documents.length);
  const paths: string[] = [];
  const missing: ChangedDocument[] = [];
  for (const document of documents) {
    // The list's paths contain only letters, digits, "-" and "_".
    const file = path.join(target, path.posix.basename(document.path));
    const url = new URL(document.path, list);
    try {
      await fetchFeed({ url, known: unknown, path: file, signal, isKept: true }, context);
      paths.push(file);
    } catch (error) {
      if (!(error instanceof ImportError) || error.code !== 'not_there') throw error;
      context.log.warn({ feedId, path: document.path }, 'a changed document of a feed is not there');
      missing.push(document);
    }
    context.tracker.fileDone();
  }
  return { paths, missing };
}
