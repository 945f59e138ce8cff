import type { FeedItems } from '@plimsoll/advisories';
import type { FeedKind } from '@plimsoll/model';
import type pg from 'pg';
import type { Interner } from '../../interning/interning.ts';
import type { HostCounter } from '../../matching/host-counter.ts';

/** How feeds of one kind are imported. Each kind has a folder beside this file. */
export interface ImportKind<K extends FeedKind> {
  /** How many items are staged by one statement. */
  readonly itemsPerStage: number;
  /** Begins an import: makes the temporary tables of the kind, or empties those that an earlier import left. */
  begin(context: StagingContext): Promise<KindStaging<K>>;
}

/** What staging works with. */
export interface StagingContext {
  /** The connection that holds the import's temporary tables. */
  readonly client: pg.PoolClient;
  readonly interner: Interner;
}

/** The items of one kind that one import has staged. Other connections see nothing of them before `apply`. */
export interface KindStaging<K extends FeedKind> {
  /** Stages items. Returns those that were not taken. */
  stage(items: readonly StagedItem<K>[], options: StageOptions): Promise<readonly PassedOver[]>;
  /** Keeps a stored item, whichever feed's, though the files have only a broken record with its id. */
  keep(externalId: string): void;
  /** What applying would remove from complete feeds of the kind. */
  shrinkages(completeFeeds: readonly CompleteFeed[]): Promise<readonly Shrinkage[]>;
  /**
   * Replaces stored items with the staged ones, removes what complete feeds of the kind lack, and counts the hosts again
   * for which that matters. Runs in the caller's transaction.
   */
  apply(completeFeeds: readonly CompleteFeed[], counter: HostCounter): Promise<AppliedItems>;
  /** How many items of a feed of the kind are stored. */
  count(feedId: string): Promise<number>;
}

/** An item on its way into the database. */
export interface StagedItem<K extends FeedKind> {
  readonly feedId: string;
  readonly item: FeedItems[K];
  /** Where operators find its record in the file. */
  readonly place: string;
  /** The number of its file, where other files can hold more of the same item. Left out: the record is all of it. */
  readonly part?: number;
}

/** How items are staged. */
export interface StageOptions {
  /** Whether an item may replace a stored one that is newer. */
  readonly mayGoBack: boolean;
}

/** An item that was not taken, and why: the import already has it, or the stored one is newer. */
export interface PassedOver {
  /** The id of the item, or the place of its record. */
  readonly pointer: string;
  readonly reason: 'twice' | 'older';
}

/** A feed of which an import has everything, as far as it is about some releases. */
export interface CompleteFeed {
  readonly feedId: string;
  /** Null: all releases. */
  readonly releases: readonly string[] | null;
}

/** How many items are stored, and how many of them an import lacks. */
export interface Shrinkage {
  readonly standing: number;
  readonly lacking: number;
  /** From how many stored items on an import that lacks most of them is taken for cut off. */
  readonly significantFrom: number;
}

/** What applying staged items changed. */
export interface AppliedItems {
  readonly changed: number;
  readonly removed: number;
  readonly hostsCounted: number;
  /** How long it took to match package versions and count hosts again; left out: it is part of merging. */
  readonly matchMs?: number;
}
