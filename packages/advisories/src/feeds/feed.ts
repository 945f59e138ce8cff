import type { FeedFormat, FeedKind, Release } from '@plimsoll/model';

/** An upstream export. `Item` is the type of its parsed records. */
export interface FeedOf<K extends FeedKind, Item> {
  readonly id: string;
  readonly kind: K;
  readonly format: FeedFormat<K>;
  /** Its display name: an ecosystem, a site. */
  readonly title: string;
  /** `id` of its distribution; null: every distribution. */
  readonly distribution: string | null;
  /** Ids of distributions rebuilt from `distribution` whose releases its records also cover. */
  readonly rebuilds?: readonly string[];
  /**
   * Its files: the feed is the content of all of them. Absent: it has no address and can only be imported.
   * With `filesFor`: the files of the releases that were supported when they were listed here, which are
   * used until a feed of lifecycles has listed the supported releases.
   */
  readonly files?: readonly FeedFile[];
  /**
   * The files of a release, such as one that appeared after this version of Plimsoll; empty if the
   * publisher has none. Absent: `files` has every release.
   */
  filesFor?(release: Release): readonly FeedFile[];
  /** Further limits of its coverage, in sentences for operators. */
  readonly limits?: readonly string[];
  /** Reads one record. Total: returns a reading for every value. */
  read(record: unknown, context: RecordContext): FeedReading<Item>;
}

/** One file of a feed. */
export interface FeedFile {
  /** The publisher's address: a file, a repository's index `…/repodata/repomd.xml`, or its `mirror.list`. */
  readonly url: string;
  /**
   * A second address of the publisher, such as that in its archive, where the file is looked for if the
   * server of `url` answers that it is not there. Absent: there is none. A mirror has one place for both.
   */
  readonly movedUrl?: string;
  /** The path on a mirror, below its base URL; unique among all files of all feeds. */
  readonly path: string;
  /**
   * The release of all its records; the file is fetched for fleets with that release. Null: the records
   * name their release.
   */
  readonly release: Release | null;
  /** Whether a repository may lack updateinfo; otherwise missing updateinfo is an error. */
  readonly isSparse?: boolean;
}

/** Input of a reading besides the record. */
export interface RecordContext {
  /** The release that the sender of the file named for all records; null: the records name their release. */
  readonly release: Release | null;
}

/**
 * The reading of a record. Skipped: it contains nothing for this feed. Rejected: it is malformed. Reasons
 * are codes or parts of sentences for operators.
 */
export type FeedReading<Item> =
  | ReadRecord<Item>
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'rejected'; readonly reason: string; readonly issues?: readonly FeedIssue[] };

/** A readable record. */
export interface ReadRecord<Item> {
  readonly kind: 'read';
  readonly items: readonly Item[];
  /** The feed is at least this new; null: unknown. */
  readonly asOf: Date | null;
  /** Parts of the record that were omitted or widened; pointers are relative to the record. */
  readonly issues: readonly FeedIssue[];
  /** The record's id, which messages put before the pointers. Absent: it has none. */
  readonly id?: string;
}

/** An unreadable part of a record: location (RFC 6901 pointer) and reason. */
export interface FeedIssue {
  readonly pointer: string;
  readonly reason: string;
}

/** How to recognise the records of a format. */
export interface FormatTraits {
  /** Fields that only JSON records of this format have. Empty: its files are not JSON. */
  readonly jsonFields: readonly string[];
  /**
   * Whether an item's packages or releases can be split over several files, or over any records of one
   * file; default false.
   */
  readonly isSplit?: true | 'by_record';
}

/** One kind of feed: all feeds of the kind, and its formats. */
export interface FeedKindDefinition<K extends FeedKind, F extends FeedOf<K, unknown> = FeedOf<K, unknown>> {
  readonly feeds: readonly F[];
  readonly formats: Readonly<Record<FeedFormat<K>, FormatTraits>>;
}
