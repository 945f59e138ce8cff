import type { FeedItems } from '@plimsoll/advisories';
import type { FeedKind } from '@plimsoll/model';
import type pg from 'pg';
import type { Interning } from '../../ingest/interning.ts';

/** The import of one kind of feed. Each kind has a folder next to this one. */
export interface ImportKind<K extends FeedKind> {
  /** The number of items that one statement stages. */
  readonly itemsPerStage: number;
  /** Begins an import: creates the temporary tables of the kind, or empties those of an earlier import. */
  begin(context: StagingContext): Promise<KindStaging<K>>;
}

/** The context of staging. */
export interface StagingContext {
  /** The connection that holds the import's temporary tables. */
  readonly client: pg.PoolClient;
  /** Begun after the import's turn: no release is deleted meanwhile. */
  readonly interner: Pick<Interning, 'release'>;
}

/** The items of one kind that one import has staged. Other connections do not see them before `apply`. */
export interface KindStaging<K extends FeedKind> {
  /** Stages items. Returns the rejected ones. */
  stage(items: readonly StagedItem<K>[], options: StageOptions): Promise<readonly RejectedItem[]>;
  /**
   * Keeps the stored item with an id, of any feed, although its record in the files was rejected. Absent: a rejected
   * record of the kind does not show its id.
   */
  keep?(externalId: string): void;
  /**
   * Removes the stored item of a feed with an id, if there is one, when applied. Absent: a feed of the kind is always
   * read completely.
   */
  drop?(feedId: string, externalId: string): void;
  /** What applying would remove from complete feeds of the kind. */
  shrinkages(completeFeeds: readonly CompleteFeed[]): Promise<readonly Shrinkage[]>;
  /**
   * Replaces stored items with the staged ones, removes stored items that complete feeds of the kind lack, and notes
   * what changed, so that recountChangedHosts counts the affected hosts. Runs in the caller's transaction.
   */
  apply(completeFeeds: readonly CompleteFeed[]): Promise<AppliedItems>;
  /** The number of stored items of a feed of the kind. */
  count(feedId: string): Promise<number>;
}

/** An item to be staged. */
export interface StagedItem<K extends FeedKind> {
  readonly feedId: string;
  readonly item: FeedItems[K];
  /** The position of its record in the file, for operators. */
  readonly place: string;
  /** The number of its file, if other files can contain more of the same item. Omitted: the record is complete. */
  readonly part?: number;
}

/** Options of staging. */
export interface StageOptions {
  /** Whether an item may replace a newer stored one. */
  readonly mayGoBack: boolean;
}

/** A rejected item with the reason: the import already has it, or the stored one is newer. */
export interface RejectedItem {
  /** The id of the item, or the position of its record. */
  readonly pointer: string;
  readonly reason: 'twice' | 'older';
}

/** A feed whose import is complete, possibly only for some releases. */
export interface CompleteFeed {
  readonly feedId: string;
  /** Null: all releases. */
  readonly releases: readonly string[] | null;
}

/** The number of stored items, and of those among them that an import lacks. */
export interface Shrinkage {
  readonly stored: number;
  readonly lacking: number;
  /** The number of stored items from which an import that lacks most of them is considered truncated. */
  readonly significantFrom: number;
}

/** What applying the staged items changed. */
export interface AppliedItems {
  readonly changed: number;
  readonly removed: number;
  /** The time that matching took; omitted if it is part of merging. */
  readonly matchMs?: number;
  /** The last step, under the lock of changeAdvisories; omitted if there is none. */
  takeEffect?(): Promise<void>;
}
