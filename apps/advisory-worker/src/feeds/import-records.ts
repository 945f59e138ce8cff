import path from 'node:path';
import { type CveFeed, cveFeeds, distributionOf, type FeedDefinition, feeds } from '@plimsoll/advisories';
import {
  type AdvisoryImport,
  type CompleteFeed,
  type ImportedCveFact,
  type ImportedRecord,
  type ImportOutcome,
  type ImportProgress,
  type Shrinkage,
  type SyncEnd,
  withAdvisoryImport,
} from '@plimsoll/db';
import type { ImportId, Release } from '@plimsoll/model';
import type { FeedRecord, FileFormat } from '../records/feed-record.ts';
import { ImportError } from '../records/import-error.ts';
import { readRecords } from '../records/read-records.ts';
import type { WorkerContext } from '../worker-context.ts';
import { fixFeedIds } from './fix-feeds.ts';
import { keyStatements } from './key-statements.ts';
import { Tally } from './tally.ts';

const recordsPerStage = 500;
const factsPerStage = 5_000;
const twice = 'stands in the file twice; the first was taken';

/** Repositories list of an advisory what they have of it: its other packages and releases stand elsewhere. */
const splitFormats: ReadonlySet<FileFormat> = new Set<FileFormat>(['updateinfo', 'almalinux-errata']);

/** One of the files that are imported together. */
export interface FileToRead {
  readonly path: string;
  /** Null: each record shows its own. */
  readonly format: FileFormat | null;
  /** The release its records are for, where they do not say so themselves. */
  readonly release: Release | null;
}

/** Files to import, all or none of them. */
export interface FilesToImport {
  readonly files: readonly FileToRead[];
  /** The import whose row ends with it; null for a sync. */
  readonly importId: ImportId | null;
  /** Null: they only add and change. Else they are the whole of the feeds in them, as far as they are about releases. */
  readonly complete: { readonly releases: readonly Release[] | null } | null;
  /** The feed that was synced; null for an import by hand. Records of other feeds are passed over then. */
  readonly sync: SyncEnd | null;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => Promise<void>;
}

/** An import that took effect. */
export interface FinishedImport extends ImportOutcome, ImportProgress {
  /** The feeds that records of the files belong to. */
  readonly feedIds: readonly string[];
}

/**
 * Imports files of records: everything they say, or nothing. A broken record is counted and listed and the others go on;
 * a file that cannot be read, or files with nothing for any feed, are an ImportError and change nothing.
 */
export async function importRecords(context: WorkerContext, files: FilesToImport): Promise<FinishedImport> {
  for (const { release } of files.files) {
    if (release !== null && distributionOf(release) === null)
      throw new ImportError('unknown_release', `"${release}" is no release that is known.`);
  }
  return withAdvisoryImport(context.db, async (session) => {
    const tally = new Tally();
    const staging = new Staging(context, session, { files, tally });
    for (const [number, file] of files.files.entries()) await staging.read(file, number);
    if (tally.feeds.size === 0) throw nothingFor(tally, files);
    if (tally.isMostlyBroken()) throw new ImportError('no_records', 'Most records of the file are broken.');
    const completeFeeds = completeFeedsOf(files, tally);
    refuseShrinkage(await session.shrinkage(completeFeeds));
    for (const { facts } of files.complete === null ? [] : tally.feeds.values())
      if (facts !== undefined) refuseShrinkage(await session.cveShrinkage(facts));
    files.signal.throwIfAborted();
    const { importId, sync } = files;
    const outcome = await session.finish(
      { importId, sync, ...tally.progress(), completeFeeds, feeds: tally.feeds, fixFeeds: fixFeedIds() },
      { match: context.matchRule, counter: context.counter },
    );
    return { ...outcome, ...tally.progress(), feedIds: [...tally.feeds.keys()].sort() };
  });
}

function completeFeedsOf({ complete }: FilesToImport, tally: Tally): readonly CompleteFeed[] {
  if (complete === null) return [];
  return [...tally.feeds.keys()].map((feedId) => ({ feedId, releases: complete.releases }));
}

/** Reads files into the import's staging. */
class Staging {
  private readonly context: WorkerContext;
  private readonly session: AdvisoryImport;
  private readonly files: FilesToImport;
  private readonly tally: Tally;
  private readonly feeds: readonly FeedDefinition[];
  private readonly cveFeeds: readonly CveFeed[];
  private records: ImportedRecord[] = [];
  private facts: ImportedCveFact[] = [];
  private fileNumber = 0;

  constructor(
    context: WorkerContext,
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

/** Fewer records are no sign of a feed that lost half of itself. */
const smallFeed = 100;

/** A file that would remove most of a feed is hardly the whole of it. */
function refuseShrinkage({ standing, lacking }: Shrinkage): void {
  if (standing < smallFeed || lacking * 2 <= standing) return;
  throw new ImportError(
    'too_few_records',
    `The file lacks ${lacking} of ${standing} records: it is not the whole feed. Import it without "complete".`,
  );
}

function nothingFor(tally: Tally, { files, sync }: FilesToImport): ImportError {
  const { recordsRead, recordsRejected } = tally.progress();
  if (recordsRead === 0) return new ImportError('no_records', 'The file holds no records.');
  if (recordsRejected === recordsRead)
    return new ImportError('no_records', 'Every record of the file is broken.');
  if (sync !== null) return new ImportError('no_records', `Nothing in the file is of ${sync.feedId}.`);
  const hint = files.some(({ release }) => release === null)
    ? ' Where records do not say their release, say it with the file, like "almalinux:8".'
    : '';
  const known = [...new Set([...feeds, ...cveFeeds].map(({ title }) => title))].join(', ');
  return new ImportError('no_records', `The file holds no record of a supported feed (${known}).${hint}`);
}
