import type { ImportProgress, SyncEnd } from '@plimsoll/db';
import type { FeedFormat, ImportId, Release } from '@plimsoll/model';

/** Files to import in one transaction. */
export interface FilesToImport {
  readonly files: readonly FileToRead[];
  /** The import whose row ends with it; null for a sync. */
  readonly importId: ImportId | null;
  /** Null: the files only add and change records. Otherwise stored records that the files lack are removed. */
  readonly complete: CompleteFiles | null;
  /**
   * Present: the files are changes of the feed to sync since its last sync. Stored records that no longer
   * mention the feed, and those with these ids, are removed. Absent: the files are the feed or a part of it.
   */
  readonly changes?: { readonly removedIds: readonly string[] };
  /** The feed to sync: records of other feeds are skipped. Null for a manual import. */
  readonly sync: SyncEnd | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => Promise<void>;
  /** All files are read: they are stored next, and hosts are matched again. */
  readonly onRead?: () => void;
}

/** The part of a feed that the files contain completely. */
export interface CompleteFiles {
  /** Null: all releases. */
  readonly releases: readonly Release[] | null;
  /**
   * The time up to which the files are complete, as stated by the sender; absent: the time of the newest
   * record.
   */
  readonly asOf?: Date | null;
}

/** One of the files that are imported together. */
export interface FileToRead {
  readonly path: string;
  /** Null: recognised from each record. */
  readonly format: FeedFormat | null;
  /** The release of its records, if they do not name it themselves. */
  readonly release: Release | null;
}
