import type { ImportProgress, SyncEnd } from '@plimsoll/db';
import type { FeedFormat, ImportId, Release } from '@plimsoll/model';

/** Files to import, all or none of them. */
export interface FilesToImport {
  readonly files: readonly FileToRead[];
  /** The import whose row ends with it; null for a sync. */
  readonly importId: ImportId | null;
  /** Null: they only add and change. Else they are the whole of the feeds in them, as far as they are about releases. */
  readonly complete: CompleteFiles | null;
  /** The feed that was synced; null for an import by hand. Records of other feeds are passed over then. */
  readonly sync: SyncEnd | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => Promise<void>;
}

/** What complete files are the whole of. */
export interface CompleteFiles {
  /** Null: of all releases. */
  readonly releases: readonly Release[] | null;
  /** Until when they are all there is to know, by the word of their sender; left out: as the newest record shows. */
  readonly asOf?: Date | null;
}

/** One of the files that are imported together. */
export interface FileToRead {
  readonly path: string;
  /** Null: each record shows its own. */
  readonly format: FeedFormat | null;
  /** The release its records are for, where they do not say so themselves. */
  readonly release: Release | null;
}
