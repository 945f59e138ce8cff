import type { DownloadFolder } from './downloads/download-folder.ts';
import type { FeedConnectionPool } from './feed-connection.ts';
import type { SyncTracker } from './progress/sync-tracker.ts';

/** What all fetches of one sync share. */
export interface FeedAccess {
  readonly connections: FeedConnectionPool;
  readonly tracker: SyncTracker;
  /** Where files are kept until they are imported. */
  readonly downloads: DownloadFolder;
}
