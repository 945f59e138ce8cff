import {
  type CompleteFeed,
  type FeedRead,
  type ImportOutcome,
  type ImportProgress,
  withFeedImport,
} from '@plimsoll/db';
import type { FilesToImport, FileToRead } from './files-to-import.ts';
import type { ImportContext } from './import-context.ts';
import { refuseShrinkage, refuseUnknownRelease, refuseUseless } from './import-refusals.ts';
import { RecordStager } from './record-stager.ts';
import { ImportError } from './records/import-error.ts';
import { Tally } from './tally.ts';
import { UnreadableFile } from './unreadable-file.ts';

/** An import that took effect. */
export interface FinishedImport extends ImportOutcome, ImportProgress {
  /** The feeds of the files' records. */
  readonly feedIds: readonly string[];
  /** Milliseconds for reading the files and finding new records. */
  readonly readMs: number;
}

/**
 * Imports files of records in one transaction. Counts and lists broken records and continues. Throws ImportError and
 * changes nothing if a file cannot be read or no record belongs to a feed.
 */
export async function importRecords(context: ImportContext, files: FilesToImport): Promise<FinishedImport> {
  refuseUnknownRelease(files);
  return withFeedImport(context, async (session) => {
    const startedAt = performance.now();
    const tally = new Tally();
    const stager = new RecordStager(session, { files, tally });
    for (const [number, file] of files.files.entries()) await readFile(stager, file, number);
    stager.dropRemoved();
    refuseUseless(tally, files);
    const readMs = performance.now() - startedAt;
    const completeFeeds = completeFeedsOf(files, tally);
    const read = { completeFeeds, feeds: agesIn(files, tally) };
    for (const shrinkage of await session.shrinkages(read)) refuseShrinkage(shrinkage, files);
    files.signal.throwIfAborted();
    files.onRead?.();
    const { importId, sync } = files;
    const outcome = await session.finish({ importId, sync, ...tally.progress(), ...read }, context.counter);
    return { ...outcome, ...tally.progress(), feedIds: [...tally.feeds.keys()].sort(), readMs };
  });
}

/** Stages a file's records. Throws UnreadableFile if the file as a whole cannot be read. */
async function readFile(stager: RecordStager, file: FileToRead, number: number): Promise<void> {
  try {
    await stager.read(file, number);
  } catch (error) {
    throw error instanceof ImportError ? new UnreadableFile(file, error) : error;
  }
}

/** The feeds that were read, with their age as stated by the sender; never in the future. */
function agesIn({ complete }: FilesToImport, { feeds }: Tally): ReadonlyMap<string, FeedRead> {
  const asOf = complete?.asOf ?? null;
  if (asOf === null) return feeds;
  const newest = new Date(Math.min(asOf.getTime(), Date.now()));
  return new Map([...feeds].map(([id, read]) => [id, { ...read, newest }]));
}

function completeFeedsOf({ complete }: FilesToImport, tally: Tally): readonly CompleteFeed[] {
  if (complete === null) return [];
  return [...tally.feeds.keys()].map((feedId) => ({ feedId, releases: complete.releases }));
}
