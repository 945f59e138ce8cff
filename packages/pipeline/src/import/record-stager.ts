import path from 'node:path';
import {
  type CveFeed,
  cveFeeds,
  type FeedDefinition,
  feeds,
  type LifecycleFeed,
  lifecycleFeeds,
  type RepositoryFeed,
  repositoryFeeds,
} from '@plimsoll/advisories';
import type { AdvisoryImport, ImportedCveFact, ImportedRecord } from '@plimsoll/db';
import type { Release } from '@plimsoll/model';
import type { FilesToImport, FileToRead } from './files-to-import.ts';
import type { ImportContext } from './import-context.ts';
import { keyStatements } from './key-statements.ts';
import type { FeedRecord, FileFormat } from './records/feed-record.ts';
import { readRecords } from './records/read-records.ts';
import type { Tally } from './tally.ts';

/** Few, so that most of what was read of them is dropped before the collector of young objects comes twice. */
const recordsPerStage = 100;
const factsPerStage = 5_000;
const twice = 'stands in the file twice; the first was taken';

/** Repositories list of an advisory what they have of it: its other packages and releases stand elsewhere. */
const splitFormats: ReadonlySet<FileFormat> = new Set<FileFormat>(['updateinfo', 'almalinux-errata']);

/** Reads files into the import's staging. */
export class RecordStager {
  private readonly context: ImportContext;
  private readonly session: AdvisoryImport;
  private readonly files: FilesToImport;
  private readonly tally: Tally;
  private readonly feeds: readonly FeedDefinition[];
  private readonly cveFeeds: readonly CveFeed[];
  private readonly repositoryFeeds: readonly RepositoryFeed[];
  private readonly lifecycleFeeds: readonly LifecycleFeed[];
  private records: ImportedRecord[] = [];
  private facts: ImportedCveFact[] = [];
  private fileNumber = 0;

  constructor(
    context: ImportContext,
    session: AdvisoryImport,
    { files, tally }: { readonly files: FilesToImport; readonly tally: Tally },
  ) {
    this.context = context;
    this.session = session;
    this.files = files;
    this.tally = tally;
    const isMeant = ({ id }: { readonly id: string }) => files.sync === null || files.sync.feedId === id;
    this.feeds = feeds.filter(isMeant);
    this.cveFeeds = cveFeeds.filter(isMeant);
    this.repositoryFeeds = repositoryFeeds.filter(isMeant);
    this.lifecycleFeeds = lifecycleFeeds.filter(isMeant);
  }

  async read(file: FileToRead, number: number): Promise<void> {
    this.fileNumber = number;
    for await (const record of readRecords(file.path)) {
      this.files.signal.throwIfAborted();
      this.tally.read();
      await this.take(withFormatOf(record, file.format), file.release);
      if (this.records.length >= recordsPerStage || this.facts.length >= factsPerStage) await this.stage();
    }
    await this.stage();
  }

  private async take(record: FeedRecord, release: Release | null): Promise<void> {
    if (record.kind === 'broken') {
      this.tally.reject(record.place, record.detail);
      this.session.keep(idOf(record));
    } else if (record.format === 'kev' || record.format === 'epss') this.takeFact(record, record.format);
    else if (record.format === 'repository-to-cpe') this.takeRepositories(record);
    else if (record.format === 'lifecycles') this.takeLifecycle(record);
    else await this.takeAdvisory(record, release);
  }

  private takeFact(record: Extract<FeedRecord, { kind: 'record' }>, format: 'kev' | 'epss'): void {
    for (const feed of this.cveFeeds) {
      if (feed.format !== format) continue;
      const reading = feed.read(record.json);
      if (reading.kind === 'rejected') this.tally.reject(record.place, reading.reason);
      else {
        this.facts.push(reading.fact);
        this.tally.belongs(feed.id, reading.asOf, reading.fact.kind);
      }
    }
  }

  private takeRepositories({ json, place }: Extract<FeedRecord, { kind: 'record' }>): void {
    for (const feed of this.repositoryFeeds) {
      const reading = feed.read(json);
      if (reading.kind === 'rejected') {
        this.tally.reject(place, reading.reason);
        continue;
      }
      for (const name of reading.broken) this.tally.note(`/data/${name}`, 'is no repository with its CPEs');
      this.session.stageRepositories(reading.repositories);
      this.tally.belongs(feed.id, reading.asOf, 'repositories');
    }
  }

  private takeLifecycle({ json, place }: Extract<FeedRecord, { kind: 'record' }>): void {
    for (const feed of this.lifecycleFeeds) {
      const reading = feed.read(json);
      if (reading.kind === 'skipped') continue;
      if (reading.kind === 'rejected') {
        this.tally.reject(place, reading.reason);
        return;
      }
      const { release, lifecycle, asOf } = reading;
      if (!this.session.stageLifecycle({ feedId: feed.id, release, lifecycle }))
        this.tally.reject(place, twice);
      else this.tally.belongs(feed.id, asOf, 'lifecycles');
    }
  }

  /** One record can be of several feeds: an upstream's word on packages that others rebuild. */
  private async takeAdvisory(
    record: Extract<FeedRecord, { kind: 'record' }>,
    release: Release | null,
  ): Promise<void> {
    let rejected: string | null = null;
    let isTaken = false;
    for (const feed of this.feeds) {
      if (feed.format !== record.format) continue;
      const reading = feed.read(record.json, { release });
      if (reading.kind === 'skipped') continue;
      if (reading.kind === 'rejected') {
        rejected ??= reading.reason;
        continue;
      }
      isTaken = true;
      const { advisory, issues } = reading;
      for (const { pointer, reason } of issues) this.tally.note(`${advisory.externalId}${pointer}`, reason);
      this.tally.belongs(feed.id, advisory.modifiedAt);
      const statements = await keyStatements(this.context.interner, advisory.packages);
      const part = splitFormats.has(feed.format) ? { part: this.fileNumber } : {};
      this.records.push({ feedId: feed.id, advisory, statements, ...part });
    }
    if (isTaken || rejected === null) return;
    this.tally.reject(record.place, rejected);
    this.session.keep(idOf(record));
  }

  private async stage(): Promise<void> {
    const mayGoBack = this.files.complete !== null;
    const passedOver = this.records.length === 0 ? [] : await this.session.stage(this.records, { mayGoBack });
    for (const { externalId, reason } of passedOver) {
      if (reason === 'twice') this.tally.reject(externalId, twice);
      else this.tally.note(externalId, 'is older than what stands, which was kept');
    }
    const repeated = this.facts.length === 0 ? [] : await this.session.stageCves(this.facts);
    for (const cve of repeated) this.tally.reject(cve, twice);
    this.records = [];
    this.facts = [];
    await this.files.onProgress(this.tally.progress());
  }
}

function withFormatOf(record: FeedRecord, format: FileFormat | null): FeedRecord {
  return record.kind === 'broken' || format === null ? record : { ...record, format };
}

/** The id of a broken record, as far as it can be told: a record that breaks must not look like one that was removed. */
function idOf(record: FeedRecord): string {
  if (record.kind === 'record' && typeof record.json === 'object' && record.json !== null) {
    const fields = new Map<string, unknown>(Object.entries(record.json));
    const id = fields.get('id') ?? fields.get('name');
    if (typeof id === 'string') return id;
  }
  return path.basename(record.place, '.json');
}
