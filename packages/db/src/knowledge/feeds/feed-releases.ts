import type { FeedFailureCause, Release } from '@plimsoll/model';
import { rowTable } from '../../core/row-table.ts';
import type { Statements } from '../../core/transaction.ts';

/** A release whose files a sync fetched, or failed to fetch. */
export interface SyncedRelease {
  readonly release: Release;
  /** Why its files could not be synced; null: they could. */
  readonly failure: SyncFailure | null;
}

/** Why a sync failed. */
export interface SyncFailure {
  readonly cause: FeedFailureCause;
  /** A sentence for people, without credentials. */
  readonly sentence: string;
  /** The wait that the server requested; null if it requested none. */
  readonly retryAfterMs: number | null;
}

/**
 * Stores the result of a sync for releases with their own files, or for all releases if there are none,
 * before the feed's own time changes. A release that failed keeps its time; its first time is the feed's if
 * the feed has statements about it, otherwise null.
 */
export async function writeFeedReleases(
  client: Statements,
  feedId: string,
  releases: readonly SyncedRelease[],
): Promise<void> {
  if (releases.length === 0) {
    // Every release now has the feed's own time, including releases that an import of another release left
    // unchanged.
    await client.query('DELETE FROM feed_releases WHERE feed_id = $1', [feedId]);
    return;
  }
  const { table, values } = rowTable(
    'release text, sentence text?, cause text?',
    releases.map(({ release, failure }) => ({ release, ...(failure ?? { sentence: null, cause: null }) })),
    2,
  );
  await client.query(
    `INSERT INTO feed_releases (feed_id, release, updated_at, last_error, last_error_cause)
     SELECT f.id, s.release,
            CASE WHEN s.sentence IS NULL THEN now()
                 WHEN EXISTS (SELECT FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id
                              JOIN releases r ON r.id = ap.release_id
                              WHERE r.name = s.release AND a.feed_id = f.id) THEN f.updated_at END,
            s.sentence, s.cause
     FROM feeds f, ${table} s WHERE f.id = $1
     ON CONFLICT (feed_id, release) DO UPDATE
     SET updated_at = CASE WHEN excluded.last_error IS NULL THEN excluded.updated_at ELSE feed_releases.updated_at END,
         last_error = excluded.last_error, last_error_cause = excluded.last_error_cause`,
    [feedId, ...values],
  );
}

/** Stores that a sync updated no release of a feed, and why. Each release keeps its time. */
export async function noteFailedReleases(
  client: Statements,
  feedId: string,
  { cause, sentence }: SyncFailure,
): Promise<void> {
  await client.query(
    'UPDATE feed_releases SET last_error = $2::text, last_error_cause = $3::text WHERE feed_id = $1',
    [feedId, sentence, cause],
  );
}

/**
 * Stores that a complete import updated releases of a feed to `newest`, before the feed's own time changes.
 * Null for all releases: the feed's own time then applies to each. Other releases with statements keep their
 * time.
 */
export async function noteImportedReleases(
  client: Statements,
  feedId: string,
  { releases, newest }: { readonly releases: readonly string[] | null; readonly newest: Date },
): Promise<void> {
  if (releases === null) await client.query('DELETE FROM feed_releases WHERE feed_id = $1', [feedId]);
  else {
    await client.query(
      `INSERT INTO feed_releases (feed_id, release, updated_at)
       SELECT f.id, r.name, f.updated_at FROM feeds f, releases r
       WHERE f.id = $1 AND r.name <> ALL($2::text[])
         AND EXISTS (SELECT FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id
                     WHERE ap.release_id = r.id AND a.feed_id = f.id)
       ON CONFLICT (feed_id, release) DO NOTHING`,
      [feedId, releases],
    );
    await client.query(
      `UPDATE feed_releases SET updated_at = $3, last_error = NULL, last_error_cause = NULL
       WHERE feed_id = $1 AND release = ANY($2::text[])`,
      [feedId, releases, newest],
    );
  }
}
