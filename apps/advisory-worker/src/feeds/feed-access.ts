import type { DownloadFolder } from './downloads/download-folder.ts';
import type { FeedConnectionPool } from './feed-connection.ts';
import type { SyncTracker } from './progress/sync-tracker.ts';

/** The dependencies that all fetches of a sync share. */
export interface FeedAccess {
  readonly connections: FeedConnectionPool;
  readonly tracker: SyncTracker;
  /** The folder for files that are not imported yet. */
  readonly downloads: DownloadFolder;
}
