import type { Release } from '@plimsoll/model';
import type { Statements } from '../core/transaction.ts';

/** What was known of a release at a time. */
export interface CoverageAt {
  /** The feed whose advisories applied to it. */
  readonly feedId: string | null;
  /** Whether the feed had advisories for it. */
  readonly covered: boolean;
  /** Whether a feed with data for it listed unfixed packages. */
  readonly listsUnfixed: boolean;
  /** The latest time at which the feed's data was known to be up to date; null: never. */
  readonly updatedAt: Date | null;
  /** The age of its data, in seconds, from which the feed is outdated now. */
  readonly staleAfterSeconds: number | null;
}

/**
 * Keeps what is known of each release now, if it is new. A feed that is only confirmed again is noted once an hour: a
 * past time of it can be an hour too early, never too late.
 * @param updatedAt SQL of the time at which the feed `f` was known to be up to date for the release `r`.
 */
export async function noteCoverage(client: Statements, updatedAt: string): Promise<void> {
  await client.query(
    `INSERT INTO release_coverage AS c (release_id, at, feed_id, covered, lists_unfixed, updated_at)
     SELECT n.* FROM (
       SELECT r.id, now(), r.feed_id, r.covered, r.lists_unfixed, ${updatedAt} AS updated_at
       FROM releases r LEFT JOIN feeds f ON f.id = r.feed_id) n
     LEFT JOIN LATERAL (SELECT * FROM release_coverage WHERE release_id = n.id ORDER BY at DESC LIMIT 1) last ON true
     WHERE last.release_id IS NULL
        OR (last.feed_id, last.covered, last.lists_unfixed) IS DISTINCT FROM (n.feed_id, n.covered, n.lists_unfixed)
        OR n.updated_at < last.updated_at OR n.updated_at >= last.updated_at + interval '1 hour'
        OR (last.updated_at IS NULL) <> (n.updated_at IS NULL)
     ON CONFLICT (release_id, at) DO UPDATE SET feed_id = excluded.feed_id, covered = excluded.covered,
       lists_unfixed = excluded.lists_unfixed, updated_at = excluded.updated_at`,
  );
}

/** What was known of a release at a time; null if nothing was. */
export async function loadCoverageAt(
  client: Statements,
  release: Release,
  at: Date,
): Promise<CoverageAt | null> {
  const { rows } = await client.query<CoverageAt>(
    `SELECT c.feed_id AS "feedId", c.covered, c.lists_unfixed AS "listsUnfixed", c.updated_at AS "updatedAt",
            f.stale_after_seconds AS "staleAfterSeconds"
     FROM releases r JOIN release_coverage c ON c.release_id = r.id LEFT JOIN feeds f ON f.id = c.feed_id
     WHERE r.name = $1 AND c.at <= $2 ORDER BY c.at DESC LIMIT 1`,
    [release, at],
  );
  return rows[0] ?? null;
}
