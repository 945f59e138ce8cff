import {
  type CompleteFeed,
  type FeedRead,
  type ImportOutcome,
  type ImportProgress,
  withAdvisoryImport,
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
  return withAdvisoryImport(context.db, async (session) => {
    const startedAt = performance.now();
    const tally = new Tally();
    const stager = new RecordStager(context, session, { files, tally });
    for (const [number, file] of files.files.entries()) await stager.read(file, number);
    refuseUseless(tally, files);
    const readMs = performance.now() - startedAt;
    const completeFeeds = completeFeedsOf(files, tally);
    refuseShrinkage(await session.shrinkage(completeFeeds));
    for (const [feedId, { facts }] of files.complete === null ? [] : tally.feeds)
      if (facts === 'lifecycles') refuseShrinkage(await session.lifecycleShrinkage(feedId), fewReleases);
      else if (facts === 'repositories') refuseShrinkage(await session.repositoryShrinkage());
      else if (facts !== undefined) refuseShrinkage(await session.cveShrinkage(facts));
    files.signal.throwIfAborted();
    const { importId, sync } = files;
    const outcome = await session.finish(
      { importId, sync, ...tally.progress(), completeFeeds, feeds: agesIn(files, tally) },
      context.counter,
    );
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

/** A list of a distribution's releases is shorter than that of its advisories, and only ever grows. */
const fewReleases = 4;

function completeFeedsOf({ complete }: FilesToImport, tally: Tally): readonly CompleteFeed[] {
  if (complete === null) return [];
  return [...tally.feeds.keys()].map((feedId) => ({ feedId, releases: complete.releases }));
}
