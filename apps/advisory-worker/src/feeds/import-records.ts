import path from 'node:path';
import { type FeedDefinition, feeds, parseOsvRecord } from '@plimsoll/advisories';
import {
  type AdvisoryImport,
  type ImportedRecord,
  type ImportOutcome,
  type ImportProgress,
  withAdvisoryImport,
} from '@plimsoll/db';
import type { FieldError, ImportId } from '@plimsoll/model';
import type { FeedRecord } from '../records/feed-record.ts';
import { ImportError } from '../records/import-error.ts';
import { readRecords } from '../records/read-records.ts';
import type { WorkerContext } from '../worker-context.ts';
import { keyStatements } from './key-statements.ts';

const recordsPerStage = 500;
/** The first so many problems are kept to be shown; all are counted. */
const keptErrors = 100;

/** A file to import. */
export interface FileToImport {
  readonly path: string;
  /** The import whose row ends with it; null for a sync. */
  readonly importId: ImportId | null;
  /** Whether the file is the whole of the feeds in it. */
  readonly complete: boolean;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ImportProgress) => Promise<void>;
}

/** An import that took effect. */
export interface FinishedImport extends ImportOutcome, ImportProgress {
  /** The feeds that records of the file belong to. */
  readonly feedIds: readonly string[];
}

/**
 * Imports a file of OSV records: everything it says, or nothing. A broken record is counted and listed and the others
 * go on; a file that cannot be read, or holds nothing for any feed, is an ImportError and changes nothing.
 */
export async function importRecords(context: WorkerContext, file: FileToImport): Promise<FinishedImport> {
  return withAdvisoryImport(context.db, async (session) => {
    const tally = new Tally();
    await stageFile(context, session, file, tally);
    if (tally.feeds.size === 0) throw nothingFor(tally);
    if (tally.isMostlyBroken()) throw new ImportError('no_records', 'Most records of the file are broken.');
    const completeFeeds = file.complete ? [...tally.feeds.keys()] : [];
    refuseShrinkage(session.shrinkage(completeFeeds));
    file.signal.throwIfAborted();
    const outcome = await session.finish(
      {
        importId: file.importId,
        ...tally.progress(),
        completeFeeds,
        feeds: tally.feeds,
      },
      { match: context.matchRule, counter: context.counter },
    );
    return { ...outcome, ...tally.progress(), feedIds: [...tally.feeds.keys()].sort() };
  });
}

async function stageFile(
  context: WorkerContext,
  session: AdvisoryImport,
  file: FileToImport,
  tally: Tally,
): Promise<void> {
  let batch: ImportedRecord[] = [];
  const stage = async () => {
    for (const { externalId, reason } of await session.stage(batch, { mayGoBack: file.complete })) {
      if (reason === 'twice') tally.reject(externalId, 'stands in the file twice; the first was taken');
      else tally.note(externalId, 'is older than what stands, which was kept');
    }
    batch = [];
    await file.onProgress(tally.progress());
  };
  for await (const record of readRecords(file.path)) {
    file.signal.throwIfAborted();
    const imported = await understand(context, record, tally);
    if (imported === 'broken') session.keep(idOf(record));
    else if (imported !== null) batch.push(imported);
    if (batch.length >= recordsPerStage) await stage();
  }
  await stage();
}

async function understand(
  { interner }: WorkerContext,
  record: FeedRecord,
  tally: Tally,
): Promise<ImportedRecord | 'broken' | null> {
  tally.read();
  if (record.kind === 'broken') {
    tally.reject(record.place, record.detail);
    return 'broken';
  }
  for (const feed of feeds) {
    const parsed = parseOsvRecord(record.json, feed);
    if (parsed.kind === 'skipped') continue;
    if (parsed.kind === 'rejected') {
      tally.reject(record.place, parsed.reason);
      return 'broken';
    }
    for (const { pointer, reason } of parsed.issues)
      tally.note(`${parsed.advisory.externalId}${pointer}`, reason);
    tally.belongs(feed, parsed.advisory.modifiedAt);
    return {
      feedId: feed.id,
      advisory: parsed.advisory,
      statements: await keyStatements(interner, parsed.advisory.packages),
    };
  }
  return null;
}

/** The id of a broken record, as far as it can be told: a record that breaks must not look like one that was removed. */
function idOf(record: FeedRecord): string {
  if (
    record.kind === 'record' &&
    typeof record.json === 'object' &&
    record.json !== null &&
    'id' in record.json
  ) {
    return String(record.json.id);
  }
  return path.basename(record.place, '.json');
}

/** Fewer records are no sign of a feed that lost half of itself. */
const smallFeed = 100;

/** A file that would remove most of a feed is hardly the whole of it. */
function refuseShrinkage({
  standing,
  lacking,
}: {
  readonly standing: number;
  readonly lacking: number;
}): void {
  if (standing < smallFeed || lacking * 2 <= standing) return;
  throw new ImportError(
    'too_few_records',
    `The file lacks ${lacking} of ${standing} records: it is not the whole feed. Import it without "complete".`,
  );
}

function nothingFor(tally: Tally): ImportError {
  const { recordsRead, recordsRejected } = tally.progress();
  const known = feeds.map(({ ecosystem }) => ecosystem).join(', ');
  if (recordsRead === 0) return new ImportError('no_records', 'The file holds no records.');
  if (recordsRejected === recordsRead)
    return new ImportError('no_records', 'Every record of the file is broken.');
  return new ImportError('no_records', `The file holds no record of a supported ecosystem (${known}).`);
}

/** What was met so far. */
class Tally {
  readonly feeds = new Map<string, { readonly newest: Date; readonly records: number }>();
  private readonly errors: FieldError[] = [];
  private recordsRead = 0;
  private recordsRejected = 0;

  read(): void {
    this.recordsRead++;
  }

  reject(place: string, detail: string): void {
    this.recordsRejected++;
    this.note(place, detail);
  }

  /** A problem that costs no record. */
  note(pointer: string, detail: string): void {
    if (this.errors.length < keptErrors) this.errors.push({ pointer, detail });
  }

  /** Data is known to be as new as its newest record, and no newer than now. */
  belongs(feed: FeedDefinition, modifiedAt: Date | null): void {
    const modified = Math.min(modifiedAt?.getTime() ?? 0, Date.now());
    const { newest, records } = this.feeds.get(feed.id) ?? { newest: new Date(0), records: 0 };
    this.feeds.set(feed.id, { newest: new Date(Math.max(newest.getTime(), modified)), records: records + 1 });
  }

  isMostlyBroken(): boolean {
    return this.recordsRejected * 2 > this.recordsRead;
  }

  progress(): ImportProgress {
    return { recordsRead: this.recordsRead, recordsRejected: this.recordsRejected, errors: [...this.errors] };
  }
}
