import { type FeedSyncStage, type FeedSyncState, feedSyncStages } from '@plimsoll/model';
import { z } from 'zod';
import type { Database } from '../../core/database.ts';
import { queryRows } from '../../core/transaction.ts';
import { Prisma } from '../../generated/client.ts';

/** The progress of a sync. */
export interface SyncProgress {
  readonly stage: FeedSyncStage;
  /** Files, pages of lists and changed documents that were fetched or need not be fetched. */
  readonly filesDone: number;
  /** Null if not known yet. */
  readonly filesTotal: number | null;
  /** Bytes of the fetched files and of the current one, including those that an earlier sync downloaded. */
  readonly bytes: number;
  /** The total size of the files whose download has started; null if a server does not state a size. */
  readonly bytesExpected: number | null;
  /** Records read from the files. */
  readonly records: number;
}

/** A sync that has started but not ended. */
export interface UnfinishedSync extends SyncProgress {
  readonly feedId: string;
  /** Derived from the time since the worker's last report, by the clock of the database. */
  readonly state: FeedSyncState;
  readonly startedAt: Date;
  /** The time at which one of the numbers or the stage last changed. */
  readonly progressedAt: Date;
  readonly heartbeatAt: Date;
}

/** The progress of syncs. */
export interface FeedSyncStore {
  /** Stores the start of a sync. Replaces the progress of an earlier, unfinished sync of the feed. */
  begin(feedId: string): Promise<void>;
  /** Stores a report. `idleMs`: milliseconds since the last change. */
  report(feedId: string, progress: SyncProgress, idleMs: number): Promise<void>;
  /** Deletes the progress of a sync that ended. */
  end(feedId: string): Promise<void>;
  /** Deletes progress that got no report for this many days. */
  dropOld(days: number): Promise<void>;
}

/** A running worker reports every three seconds. */
const silentSeconds = 60;

/** The progress of syncs in one database. */
export function createFeedSyncStore({ prisma }: Database): FeedSyncStore {
  return {
    async begin(feedId) {
      await prisma.$executeRaw`INSERT INTO feed_syncs (feed_id, stage) VALUES (${feedId}, 'listing')
        ON CONFLICT (feed_id) DO UPDATE SET stage = excluded.stage, files_done = 0, files_total = NULL, bytes = 0,
          bytes_expected = NULL, records = 0, started_at = now(), progressed_at = now(), heartbeat_at = now()`;
    },
    async report(feedId, { stage, filesDone, filesTotal, bytes, bytesExpected, records }, idleMs) {
      await prisma.$executeRaw`UPDATE feed_syncs SET stage = ${stage}, files_done = ${filesDone},
          files_total = ${filesTotal}, bytes = ${bytes}, bytes_expected = ${bytesExpected}, records = ${records},
          progressed_at = now() - ${idleMs}::float8 * interval '1 millisecond', heartbeat_at = now()
        WHERE feed_id = ${feedId}`;
    },
    async end(feedId) {
      await prisma.feedSync.deleteMany({ where: { feedId } });
    },
    async dropOld(days) {
      await prisma.$executeRaw`DELETE FROM feed_syncs WHERE heartbeat_at < now() - ${days}::int * interval '1 day'`;
    },
  };
}

const unfinishedRow = z.object({
  feed_id: z.string(),
  stage: z.enum(feedSyncStages),
  files_done: z.number(),
  files_total: z.number().nullable(),
  bytes: z.number(),
  bytes_expected: z.number().nullable(),
  records: z.number(),
  is_silent: z.boolean(),
  started_at: z.date(),
  progressed_at: z.date(),
  heartbeat_at: z.date(),
});

/** The unfinished syncs, by feed. */
export async function listUnfinishedSyncs({ prisma }: Database): Promise<readonly UnfinishedSync[]> {
  const statement = Prisma.sql`SELECT feed_id, stage, files_done, files_total, bytes::float8 AS bytes,
      bytes_expected::float8 AS bytes_expected, records, started_at, progressed_at, heartbeat_at,
      heartbeat_at < now() - ${silentSeconds}::int * interval '1 second' AS is_silent
    FROM feed_syncs ORDER BY feed_id`;
  return (await queryRows(prisma, unfinishedRow, statement)).map((row) => ({
    feedId: row.feed_id,
    state: row.is_silent ? 'interrupted' : 'running',
    stage: row.stage,
    filesDone: row.files_done,
    filesTotal: row.files_total,
    bytes: row.bytes,
    bytesExpected: row.bytes_expected,
    records: row.records,
    startedAt: row.started_at,
    progressedAt: row.progressed_at,
    heartbeatAt: row.heartbeat_at,
  }));
}
