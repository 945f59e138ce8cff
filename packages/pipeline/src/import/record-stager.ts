import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { type Feed, type FeedItems, type FeedOf, feeds, isSplitFormat } from '@plimsoll/advisories';
import { type FeedImport, itemsPerStage, type StagedItem } from '@plimsoll/db';
import { type FeedFormat, type FeedKind, feedKinds, isJsonObject } from '@plimsoll/model';
import type { FilesToImport, FileToRead } from './files-to-import.ts';
import type { FeedRecord } from './records/feed-record.ts';
import { ImportError } from './records/import-error.ts';
import { readRecords } from './records/read-records.ts';
import type { Tally } from './tally.ts';

const problems = {
  twice: 'is in the file twice; the first one is used',
  older: 'is older than the stored record, which is kept',
} as const;

/** A piece with more statements is staged earlier: a record about kernels has some hundred. */
const statementsPerStage = 4_000;

type ReadRecord = Extract<FeedRecord, { kind: 'record' }>;
type Waiting = { [K in FeedKind]: StagedItem<K>[] };

/** Reads files into the staging tables. The database stages records while the next ones are read. */
export class RecordStager {
  private readonly session: FeedImport;
  private readonly files: FilesToImport;
  private readonly tally: Tally;
  private readonly feeds: readonly Feed[];
  private splitRecords = 0;
  /** Items that are read and not staged yet. */
  private waiting = noItems();
  /** The number of statements in them. */
  private statements = 0;
  /** The end of staging the items before those that wait. */
  private staged: Promise<void> = Promise.resolve();
  private isStaging = false;

  constructor(
    session: FeedImport,
    { files, tally }: { readonly files: FilesToImport; readonly tally: Tally },
  ) {
    this.session = session;
    this.files = files;
    this.tally = tally;
    this.feeds = feeds.filter(({ id }) => files.sync === null || files.sync.feedId === id);
  }

  /**
   * Stages every record of a file. If the file is one of many changes and cannot be read, it is rejected like
   * a record. @param number of the file among those imported together.
   */
  async read(file: FileToRead, number: number): Promise<void> {
    try {
      await this.readAll(file, number);
    } catch (error) {
      if (!(error instanceof ImportError) || this.files.changes === undefined) throw error;
      await this.staged;
      const place = path.basename(file.path);
      this.tally.read();
      this.tally.reject(place, error.message);
      this.session.keep(idOf({ kind: 'broken', place, detail: error.message }), null);
    }
  }

  private async readAll(file: FileToRead, number: number): Promise<void> {
    for await (const record of readRecords(file.path)) {
      this.files.signal.throwIfAborted();
      this.tally.read();
      if (record.kind === 'record')
        this.take({ ...record, format: file.format ?? record.format }, file, number);
      else {
        this.tally.reject(record.place, record.detail);
        this.session.keep(idOf(record), null);
      }
      if (this.isPieceFull()) await this.beginStaging();
      // Reading alone would not let the answers of the database in.
      if (this.isStaging) await setImmediate();
    }
    await this.beginStaging();
    await this.staged;
  }

  /** One record can belong to several feeds: an upstream's advisory is about packages that others rebuild. */
  private take(record: ReadRecord, { release }: FileToRead, file: number): void {
    let rejected: { readonly kind: FeedKind; readonly reason: string } | null = null;
    let isTaken = false;
    const id = idOf(record);
    const part = this.partOf(record.format, file);
    for (const feed of this.feeds) {
      if (feed.format !== record.format) continue;
      const reading = feed.read(record.json, { release });
      if (reading.kind === 'rejected') rejected ??= { kind: feed.kind, reason: reading.reason };
      if (reading.kind === 'skipped' && this.files.changes !== undefined) this.drop(feed, id);
      if (reading.kind !== 'read') continue;
      isTaken = true;
      for (const { pointer, reason } of reading.issues)
        this.tally.note(`${reading.id ?? ''}${pointer}`, reason);
      this.tally.belongs(feed, reading.asOf);
      this.wait(feed, reading.items, { place: record.place, ...part });
    }
    if (isTaken || rejected === null) return;
    this.tally.reject(record.place, rejected.reason);
    this.session.keep(id, rejected.kind);
  }

  /** Numbers of parts of one item differ; parts by record get numbers that no file has. */
  private partOf(format: FeedFormat, file: number): Pick<StagedItem<'advisories'>, 'part'> {
    const split = isSplitFormat(format);
    if (split === false) return {};
    if (split === true) return { part: file };
    this.splitRecords += 1;
    return { part: -this.splitRecords };
  }

  /**
   * Removes the records that the files list as removed. Does nothing unless the files are changes of a feed.
   */
  dropRemoved(): void {
    for (const id of this.files.changes?.removedIds ?? []) for (const feed of this.feeds) this.drop(feed, id);
  }

  private drop(feed: Feed, id: string): void {
    this.tally.concerns(feed);
    this.session.drop(feed, id);
  }

  /** The kind of the feed decides the type of its items. */
  private wait<K extends FeedKind>(
    { id, kind }: Pick<FeedOf<K, FeedItems[K]>, 'id' | 'kind'>,
    items: readonly FeedItems[K][],
    origin: Pick<StagedItem<K>, 'place' | 'part'>,
  ): void {
    const waiting: StagedItem<K>[] = this.waiting[kind];
    for (const item of items) {
      waiting.push({ feedId: id, item, ...origin });
      if ('packages' in item && Array.isArray(item.packages)) this.statements += item.packages.length;
    }
  }

  private isPieceFull(): boolean {
    return (
      this.statements >= statementsPerStage ||
      feedKinds.some((kind) => this.waiting[kind].length >= itemsPerStage(kind))
    );
  }

  /** Stages what waits, after what is being staged: at most two pieces are in memory. */
  private async beginStaging(): Promise<void> {
    await this.staged;
    const { waiting } = this;
    this.waiting = noItems();
    this.statements = 0;
    this.staged = this.stageAll(waiting);
    // An error is thrown where the end is awaited.
    this.staged.catch(() => undefined);
  }

  private async stageAll(waiting: Waiting): Promise<void> {
    this.isStaging = true;
    try {
      for (const kind of feedKinds) await this.stage(kind, waiting[kind]);
      await this.files.onProgress(this.tally.progress());
    } finally {
      this.isStaging = false;
    }
  }

  private async stage<K extends FeedKind>(kind: K, items: readonly StagedItem<K>[]): Promise<void> {
    if (items.length === 0) return;
    const mayGoBack = this.files.complete !== null;
    for (const { pointer, reason } of await this.session.stage(kind, items, { mayGoBack }))
      if (reason === 'twice') this.tally.reject(pointer, problems.twice);
      else this.tally.note(pointer, problems.older);
  }
}

function noItems(): Waiting {
  return Object.fromEntries(feedKinds.map((kind) => [kind, []])) as unknown as Waiting;
}

/** The id of a broken record, if it is readable: a broken record must not look like a removed one. */
function idOf(record: FeedRecord): string {
  if (record.kind === 'record') {
    const fields = fieldsOf(record.json);
    const id = fields.get('id') ?? fields.get('name') ?? trackingIdIn(fields.get('document'));
    if (typeof id === 'string') return id;
  }
  const name = path.basename(record.place, '.json');
  // CSAF's file names are in lower case (CSAF 2.0, 5.1).
  return name.startsWith('cve-') ? name.toUpperCase() : name;
}

/** The id of a CSAF document. */
function trackingIdIn(document: unknown): unknown {
  return fieldsOf(fieldsOf(document).get('tracking')).get('id');
}

/** The fields of an object; an empty map for other values. */
function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(isJsonObject(value) ? Object.entries(value) : []);
}
