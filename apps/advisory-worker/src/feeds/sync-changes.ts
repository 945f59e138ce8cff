import { type FeedFile, feedOf } from '@plimsoll/advisories';
import { type FilesToImport, type FinishedImport, importRecords } from '@plimsoll/pipeline';
import { urlOf } from './feed-sources.ts';
import { type ChangeSearch, findChanges } from './find-changes.ts';
import { isArchiveList } from './locate-file.ts';
import type { SyncTracker } from './progress/sync-tracker.ts';
import type { SyncContext } from './sync-context.ts';

/** The URL of the list of changes of a feed that is published as an archive; null for other feeds. */
export function archiveListOf(
  { mirrors }: Pick<SyncContext, 'mirrors'>,
  feedId: string,
  files: readonly FeedFile[],
): URL | null {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) return null;
  const url = urlOf(feedId, file, mirrors);
  return isArchiveList(url) ? url : null;
}

/** Stores the changes since the last sync; false if the whole archive must be read. */
export async function syncChanges(
  context: SyncContext,
  feedId: string,
  { list, signal }: Omit<ChangeSearch, 'feedId'>,
): Promise<boolean> {
  const changes = await findChanges(context, { feedId, list, signal });
  if (changes === null) return false;
  const { paths, removedIds, synced } = changes;
  if (paths.length + removedIds.length === 0) {
    await context.feeds.confirm({ feedId, files: synced, releases: [] });
    context.log.info({ feedId }, 'feed is unchanged');
    return true;
  }
  const format = feedOf(feedId)?.format ?? null;
  const finished = await importRecords(context, {
    files: paths.map((at) => ({ path: at, format, release: null })),
    importId: null,
    complete: null,
    changes: { removedIds },
    sync: { feedId, files: synced, releases: [] },
    signal,
    ...followImport(context.tracker),
  });
  context.log.info(syncSummary(feedId, finished), 'changes of the feed synced');
  return true;
}

/** Counts the records of an import, and begins its stages. */
export function followImport(tracker: SyncTracker): Pick<FilesToImport, 'onProgress' | 'onRead'> {
  tracker.enter('reading');
  return {
    onProgress({ recordsRead }) {
      tracker.read(recordsRead);
      return Promise.resolve();
    },
    onRead: () => tracker.enter('matching'),
  };
}

/** The numbers of a finished sync, for the log. */
export function syncSummary(feedId: string, finished: FinishedImport) {
  const { recordsRead, recordsChanged, recordsRemoved, recordsRejected, hostsCounted } = finished;
  return { feedId, recordsRead, recordsChanged, recordsRemoved, recordsRejected, hostsCounted };
}
