import type { FeedFormat, FeedKind, Release } from '@plimsoll/model';

/** One upstream export that this service reads. `Item` is what one of its records is turned into. */
export interface FeedOf<K extends FeedKind, Item> {
  readonly id: string;
  readonly kind: K;
  readonly format: FeedFormat<K>;
  /** Its name in messages: an ecosystem, a site. */
  readonly title: string;
  /** `id` of the distribution that it is about; null: it is about every distribution. */
  readonly distribution: string | null;
  /** Ids of distributions rebuilt from `distribution` whose releases its records are about too. */
  readonly rebuilds?: readonly string[];
  /** Its files: the feed is the content of all of them. Left out: it has no address and can only be imported. */
  readonly files?: readonly FeedFile[];
  /** What it cannot know besides what follows from its other properties, in sentences for operators. */
  readonly limits?: readonly string[];
  /** Reads one record. Total: every value gives a reading. */
  read(record: unknown, context: RecordContext): FeedReading<Item>;
}

/** One file of a feed. */
export interface FeedFile {
  /** Where its publisher has it: a file, a repository's index `…/repodata/repomd.xml`, or the `mirror.list` of one. */
  readonly url: string;
  /** Where a mirror has it, below its base URL; unique among all files of all feeds. */
  readonly path: string;
  /** The release that all of its records are for: it is fetched for fleets that run it. Null: the records name their release. */
  readonly release: Release | null;
  /** Whether a repository may have no updateinfo at all. Left out: a repository without updateinfo is an error. */
  readonly isSparse?: boolean;
}

/** What the reading of a record can depend on besides the record. */
export interface RecordContext {
  /** The release that the sender of the file named for all of its records; null where the records name their release. */
  readonly release: Release | null;
}

/**
 * What a feed makes of a record. Skipped: nothing in it is for this feed. Rejected: it is broken. Reasons are codes or
 * parts of sentences for operators.
 */
export type FeedReading<Item> =
  | ReadRecord<Item>
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly reason: string; readonly issues?: readonly FeedIssue[] };

/** A record that was read. */
export interface ReadRecord<Item> {
  readonly kind: 'read';
  readonly items: readonly Item[];
  /** The feed is at least as new as this; null: the record does not show it. */
  readonly asOf: Date | null;
  /** Parts of the record that were left out or read as wider than they are; pointers start at the record. */
  readonly issues: readonly FeedIssue[];
  /** The record's own id, which messages put before those pointers. Left out: it has none. */
  readonly id?: string;
}

/** A part of a record that could not be read as it is: where (RFC 6901 pointer) and why. */
export interface FeedIssue {
  readonly pointer: string;
  readonly reason: string;
}

/** How the records of one format are told from those of the others. */
export interface FormatTraits {
  /** Fields that JSON records of the format have and records of no other format have. Empty: its files are not JSON. */
  readonly jsonFields: readonly string[];
  /** Whether one file can hold only some of an item's packages or releases, and other files the rest. Left out: no. */
  readonly isSplit?: true;
}

/** One kind of feed: all feeds of the kind, and its formats. */
export interface FeedKindDefinition<K extends FeedKind, F extends FeedOf<K, unknown> = FeedOf<K, unknown>> {
  readonly feeds: readonly F[];
  readonly formats: Readonly<Record<FeedFormat<K>, FormatTraits>>;
}
