import { type Feed, feedsOf } from '@plimsoll/advisories';
import type { Release } from '@plimsoll/model';
import type { FeedRecord } from '@plimsoll/pipeline';
import { ImportError, readRecords } from '@plimsoll/pipeline';
import { osvOfDebianList } from './debian-list.ts';
import { StatementBook } from './statement-book.ts';

/** The result of reading a file of advisories. */
export type ReadFeedFile = FeedFileContent | { readonly kind: 'unread'; readonly detail: string };

/** One file of the feeds folder. */
export interface FeedFileResult {
  readonly file: string;
  readonly read: ReadFeedFile;
  readonly ms: number;
}

/** The content of a file. */
export interface FeedFileContent {
  readonly kind: 'read';
  readonly book: StatementBook;
  /** CVEs that it lists as exploited. */
  readonly exploited: ReadonlySet<string>;
  readonly records: number;
  /** The number of malformed records, by reason. */
  readonly rejected: ReadonlyMap<string, number>;
  readonly newest: Date | null;
  readonly feedIds: readonly string[];
}

/**
 * Reads a file as an import does, with every registered feed, and keeps the advisories for the releases in `wanted`.
 * `release` applies to records that do not name theirs. A file that no feed can read is `unread`.
 */
export async function readFeedFile(
  file: string,
  wanted: ReadonlySet<Release>,
  release: Release | null,
): Promise<ReadFeedFile> {
  const reading = new Reading(wanted, release);
  try {
    for await (const record of readRecords(file)) reading.take(record);
  } catch (error) {
    if (!(error instanceof ImportError)) throw error;
    return { kind: 'unread', detail: error.message };
  }
  return reading.end();
}

class Reading {
  private readonly book: StatementBook;
  private readonly release: Release | null;
  private readonly exploited = new Set<string>();
  private readonly feedIds = new Set<string>();
  private readonly rejected = new Map<string, number>();
  private records = 0;
  private newest = 0;

  constructor(wanted: ReadonlySet<Release>, release: Release | null) {
    this.book = new StatementBook(wanted);
    this.release = release;
  }

  take(record: FeedRecord): void {
    this.records += 1;
    if (record.kind === 'broken') {
      this.reject(record.detail);
      return;
    }
    const json = osvOfDebianList(record.json) ?? record.json;
    for (const feed of feedsOf('advisories'))
      if (feed.format === record.format) this.takeAdvisory(feed, json);
    for (const feed of feedsOf('cves')) if (feed.format === record.format) this.takeFact(feed, json);
  }

  end(): ReadFeedFile {
    if (this.feedIds.size === 0) {
      return { kind: 'unread', detail: 'no feed that is registered knows its records' };
    }
    const { book, exploited, records, rejected } = this;
    const newest = this.newest === 0 ? null : new Date(this.newest);
    return { kind: 'read', book, exploited, records, rejected, newest, feedIds: [...this.feedIds].sort() };
  }

  private takeAdvisory(feed: Feed<'advisories'>, json: unknown): void {
    const reading = feed.read(json, { release: this.release });
    if (reading.kind === 'skipped') return;
    this.feedIds.add(feed.id);
    if (reading.kind === 'rejected') {
      this.reject(reading.reason);
      return;
    }
    for (const advisory of reading.items) {
      this.newest = Math.max(this.newest, (advisory.modifiedAt ?? advisory.publishedAt)?.getTime() ?? 0);
      if (!this.book.enter(feed.id, advisory)) this.reject('is in the file twice');
    }
  }

  private takeFact(feed: Feed<'cves'>, json: unknown): void {
    const reading = feed.read(json, { release: this.release });
    if (reading.kind === 'skipped') return;
    this.feedIds.add(feed.id);
    if (reading.kind === 'rejected') this.reject(reading.reason);
    else for (const fact of reading.items) if (fact.kind === 'exploited') this.exploited.add(fact.cve);
  }

  private reject(reason: string): void {
    this.rejected.set(reason, (this.rejected.get(reason) ?? 0) + 1);
  }
}
