import {
  type CompleteFeed,
  type FeedRead,
  type ImportOutcome,
  type ImportProgress,
  withFeedImport,
} from '@plimsoll/db';
import type { FilesToImport } from './files-to-import.ts';
import type { ImportContext } from './import-context.ts';
import { refuseShrinkage, refuseUnknownRelease, refuseUseless } from './import-refusals.ts';
import { RecordStager } from './record-stager.ts';
import { Tally } from './tally.ts';

/** An import that took effect. */
export interface FinishedImport extends ImportOutcome, ImportProgress {
  /** The feeds that records of the files belong to. */
  readonly feedIds: readonly string[];
  /** How long it took to read the files and to find what in them is new. */
  readonly readMs: number;
}

/**
 * Imports files of records: everything they say, or nothing. A broken record is counted and listed and the others go on;
 * a file that cannot be read, or files with nothing for any feed, are an ImportError and change nothing.
 */
export async function importRecords(context: ImportContext, files: FilesToImport): Promise<FinishedImport> {
  refuseUnknownRelease(files);
  return withFeedImport(context, async (session) => {
    const startedAt = performance.now();
    const tally = new Tally();
    const stager = new RecordStager(session, { files, tally });
    for (const [number, file] of files.files.entries()) await stager.read(file, number);
    refuseUseless(tally, files);
    const readMs = performance.now() - startedAt;
    const completeFeeds = completeFeedsOf(files, tally);
    const read = { completeFeeds, feeds: agesIn(files, tally) };
    for (const shrinkage of await session.shrinkages(read)) refuseShrinkage(shrinkage);
    files.signal.throwIfAborted();
    const { importId, sync } = files;
    const outcome = await session.finish({ importId, sync, ...tally.progress(), ...read }, context.counter);
    return { ...outcome, ...tally.progress(), feedIds: [...tally.feeds.keys()].sort(), readMs };
  });
}

/** What was read of each feed, as old as the sender of the files says, but never newer than now. */
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
