import type { Database } from '../database.ts';

/** A feed, how old its data is and how its last sync went. */
export interface FeedRow {
  readonly id: string;
  readonly state: FeedState;
  readonly records: number;
  /** How new its data is known to be; null before the first. */
  readonly updatedAt: Date | null;
  readonly lastSyncAt: Date | null;
  readonly nextSyncAt: Date | null;
  readonly lastError: string | null;
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** `failed`: the last sync did not work, and what stands is from before. */
export type FeedState = 'never_synced' | 'ok' | 'failed';

/** What a sync learned of its source, kept to ask "anything new?" next time. */
export interface SyncedFrom {
  readonly etag: string | null;
  readonly lastModified: string | null;
}

/** Feeds and their state. */
export interface FeedStore {
  /** Makes rows for feeds that have none. */
  ensure(ids: readonly string[]): Promise<void>;
  /** All of them, by id. */
  list(): Promise<readonly FeedRow[]>;
  find(id: string): Promise<FeedRow | null>;
  /** Claims the feeds whose sync is due, setting their next one; those never due before are due now. */
  claimDue(nextSyncAt: Date): Promise<readonly string[]>;
  /** Notes that the source had nothing newer than what stands. */
  confirm(id: string, from: SyncedFrom): Promise<void>;
  /** Notes why a sync did not work. What stands, stands. */
  fail(id: string, error: string): Promise<void>;
  /** Notes what the source said of the data just taken over. */
  synced(id: string, from: SyncedFrom): Promise<void>;
}

/** The feeds of one database. */
export function createFeedStore({ prisma, pool }: Database): FeedStore {
  const columns = {
    id: true,
    state: true,
    records: true,
    updatedAt: true,
    lastSyncAt: true,
    nextSyncAt: true,
    lastError: true,
    etag: true,
    lastModified: true,
  } as const;
  // States are written by this store and the import alone.
  const toFeed = <Row extends { state: string }>(row: Row) => ({ ...row, state: row.state as FeedState });
  return {
    async ensure(ids) {
      await prisma.feed.createMany({ data: ids.map((id) => ({ id })), skipDuplicates: true });
    },
    async list() {
      return (await prisma.feed.findMany({ select: columns, orderBy: { id: 'asc' } })).map(toFeed);
    },
    async find(id) {
      const row = await prisma.feed.findUnique({ where: { id }, select: columns });
      return row === null ? null : toFeed(row);
    },
    async claimDue(nextSyncAt) {
      const { rows } = await pool.query<{ id: string }>(
        `UPDATE feeds SET next_sync_at = $1 WHERE next_sync_at IS NULL OR next_sync_at <= now() RETURNING id`,
        [nextSyncAt],
      );
      return rows.map(({ id }) => id).sort();
    },
    async confirm(id, { etag, lastModified }) {
      const now = new Date();
      await prisma.feed.update({
        where: { id },
        data: { state: 'ok', lastError: null, lastSyncAt: now, updatedAt: now, etag, lastModified },
      });
    },
    async fail(id, error) {
      await prisma.feed.update({
        where: { id },
        data: { state: 'failed', lastError: error, lastSyncAt: new Date() },
      });
    },
    async synced(id, { etag, lastModified }) {
      const now = new Date();
      await prisma.feed.update({
        where: { id },
        data: { etag, lastModified, lastSyncAt: now, updatedAt: now },
      });
    },
  };
}
