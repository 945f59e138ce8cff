import type { FeedFailureCause, Release } from '@plimsoll/model';
import { type Database, inTransaction } from '../database.ts';
import { letFreshestSpeak, updateCoverage, updateUnfixedListed } from '../matching/coverage.ts';
import { type SyncedFile, synced, writeFeedFiles } from './end-import.ts';

/** A feed, the age of its data and the result of its last sync. */
export interface FeedRow {
  readonly id: string;
  readonly state: FeedState;
  readonly records: number;
  /** The age of its data, in seconds, from which it is outdated. */
  readonly staleAfterSeconds: number;
  /** The latest time at which its data was known to be up to date; null before the first sync or import. */
  readonly updatedAt: Date | null;
  readonly lastSyncAt: Date | null;
  readonly nextSyncAt: Date | null;
  /** Why the last sync failed, as a sentence; null if it did not fail. */
  readonly lastError: string | null;
  /** The cause of the failure, from a closed list. */
  readonly lastErrorCause: FeedFailureCause | null;
  /** The number of consecutive failed syncs. */
  readonly consecutiveFailures: number;
}

/** Why a sync failed. */
export interface SyncFailure {
  readonly cause: FeedFailureCause;
  /** A sentence for people, without credentials. */
  readonly sentence: string;
  /** The wait that the server requested; null if it requested none. */
  readonly retryAfterMs: number | null;
}

/** `failed`: the last sync failed and the stored data is from an earlier one. */
export type FeedState = 'never_synced' | 'ok' | 'failed';

/** The approved hosts of one release. */
export interface HostsOfRelease {
  readonly release: Release;
  /** The feed whose advisories apply to it; null if there is none. */
  readonly feedId: string | null;
  readonly hosts: number;
}

/**
 * Minutes from a failed sync to the next, by number of consecutive failures; the last value applies to all further
 * ones.
 */
const retryMinutes = [1, 2, 5, 15, 60, 360];

/** Feeds and their state. */
export interface FeedStore {
  /** Creates missing rows for feeds. */
  ensure(ids: readonly string[]): Promise<void>;
  /** Updates for which releases unfixed packages are listed. Releases whose only listing feed is outdated have none. */
  noteUnfixedListed(): Promise<void>;
  /** Sets the age from which feeds are outdated, in seconds by id. */
  setThresholds(secondsById: ReadonlyMap<string, number>): Promise<void>;
  /** All feeds by id. */
  list(): Promise<readonly FeedRow[]>;
  find(id: string): Promise<FeedRow | null>;
  /**
   * Claims the due syncs of the given feeds and schedules the next ones, each at a separate time. Feeds that were never
   * due are due now. Other feeds have no next sync from now on.
   */
  claimDue(ids: readonly string[], intervalMs: number): Promise<readonly string[]>;
  /** The number of approved hosts per release, with the release's feed, by name of the release. */
  hostsByRelease(): Promise<readonly HostsOfRelease[]>;
  /** The releases of hosts, by name. */
  fleetReleases(): Promise<readonly Release[]>;
  /** The files of a feed's last sync, as long as the stored data is from them. */
  files(id: string): Promise<readonly SyncedFile[]>;
  /** Stores that the source had nothing newer than the stored data. */
  confirm(id: string, files: readonly SyncedFile[]): Promise<void>;
  /**
   * Stores why a sync failed and schedules the next one if the feed is synced on schedule: soon after the first
   * failures, then at growing intervals (`retryMinutes`), but not before the time that the server requested. Keeps the
   * imported data.
   */
  fail(id: string, failure: SyncFailure): Promise<void>;
  /** Resets the number of consecutive failures: after a requested sync, the retries start with the shortest wait. */
  forgetFailures(id: string): Promise<void>;
}

/**
 * The feeds of one database. All in SQL: the advisory-worker needs no other store that goes through Prisma's client,
 * whose engine takes 70 MB from its first query on.
 */
export function createFeedStore({ pool }: Database): FeedStore {
  const select = `SELECT id, state, records, stale_after_seconds AS "staleAfterSeconds", updated_at AS "updatedAt", last_sync_at AS "lastSyncAt",
    next_sync_at AS "nextSyncAt", last_error AS "lastError", last_error_cause AS "lastErrorCause",
    consecutive_failures AS "consecutiveFailures" FROM feeds`;
  return {
    async ensure(ids) {
      await pool.query('INSERT INTO feeds (id) SELECT * FROM unnest($1::text[]) ON CONFLICT DO NOTHING', [
        ids,
      ]);
    },
    noteUnfixedListed: () => updateUnfixedListed(pool),
    async setThresholds(secondsById) {
      await pool.query(
        `UPDATE feeds f SET stale_after_seconds = n.seconds FROM unnest($1::text[], $2::int[]) AS n (id, seconds)
         WHERE n.id = f.id AND f.stale_after_seconds <> n.seconds`,
        [[...secondsById.keys()], [...secondsById.values()]],
      );
    },
    async list() {
      // Only this store and the import write states.
      return (await pool.query<FeedRow>(`${select} ORDER BY id`)).rows;
    },
    async find(id) {
      return (await pool.query<FeedRow>(`${select} WHERE id = $1`, [id])).rows[0] ?? null;
    },
    async claimDue(ids, intervalMs) {
      await pool.query(
        'UPDATE feeds SET next_sync_at = NULL WHERE next_sync_at IS NOT NULL AND id <> ALL($1::text[])',
        [ids],
      );
      // Jitter, so that installations and feeds do not contact a mirror in the same minute.
      const { rows } = await pool.query<{ id: string }>(
        `UPDATE feeds SET next_sync_at = now() + $2 * (0.9 + 0.2 * random()) * interval '1 millisecond'
         WHERE id = ANY($1::text[]) AND (next_sync_at IS NULL OR next_sync_at <= now()) RETURNING id`,
        [ids, intervalMs],
      );
      return rows.map(({ id }) => id).sort();
    },
    async hostsByRelease() {
      const { rows } = await pool.query<HostsOfRelease>(
        `SELECT r.name AS release, r.feed_id AS "feedId", n.hosts FROM (
           SELECT hs.release_id, count(*)::int AS hosts FROM host_state hs JOIN hosts h ON h.id = hs.host_id
           WHERE h.approval_status = 'approved' GROUP BY hs.release_id) n
         JOIN releases r ON r.id = n.release_id ORDER BY r.name`,
      );
      return rows;
    },
    async fleetReleases() {
      const { rows } = await pool.query<{ name: Release }>(
        `SELECT name FROM releases WHERE id IN (SELECT DISTINCT release_id FROM host_state) ORDER BY name`,
      );
      return rows.map(({ name }) => name);
    },
    async files(id) {
      const { rows } = await pool.query<SyncedFile>(
        `SELECT url, etag, last_modified AS "lastModified", digest, rules FROM feed_files WHERE feed_id = $1 ORDER BY url`,
        [id],
      );
      return rows;
    },
    confirm: (id, files) =>
      inTransaction(pool, async (tx) => {
        await tx.query(`UPDATE feeds SET ${synced}, last_sync_at = now(), updated_at = now() WHERE id = $1`, [
          id,
        ]);
        await writeFeedFiles(tx, id, files);
        await letFreshestSpeak(tx);
        await updateCoverage(tx);
      }),
    async fail(id, { cause, sentence, retryAfterMs }) {
      // A feed without scheduled syncs is not retried either.
      await pool.query(
        `UPDATE feeds SET state = 'failed', last_error = $2, last_error_cause = $3, last_sync_at = now(),
                consecutive_failures = consecutive_failures + 1,
                next_sync_at = CASE WHEN next_sync_at IS NULL THEN NULL ELSE greatest(
                  least(next_sync_at, now() + ($4::int[])[least(consecutive_failures + 1, cardinality($4::int[]))]
                                              * (0.9 + 0.2 * random()) * interval '1 minute'),
                  now() + $5 * (1 + 0.1 * random()) * interval '1 millisecond') END
         WHERE id = $1`,
        [id, sentence, cause, retryMinutes, retryAfterMs ?? 0],
      );
    },
    async forgetFailures(id) {
      await pool.query('UPDATE feeds SET consecutive_failures = 0 WHERE id = $1', [id]);
    },
  };
}
