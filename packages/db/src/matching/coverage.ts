import { feedRoles } from '@plimsoll/advisories';
import type { Statements } from '../connection/transaction.ts';

/**
 * Assigns to each release the feed with the newest data among those that list fixes for it. If one feed is
 * synced and another was imported once, coverage is as fresh as the newer of the two. A feed with only
 * upstream's statements does not count: it has no errata of the release's own distribution.
 */
export async function letFreshestSpeak(client: Statements): Promise<void> {
  await client.query(
    `UPDATE releases r SET feed_id = f.id FROM feeds f, feeds c
     WHERE f.id = ANY($1::text[]) AND c.id = r.feed_id AND c.id <> f.id
       AND ${updatedAtOf('f', 'r')} > coalesce(${updatedAtOf('c', 'r')}, '-infinity')
       AND EXISTS (SELECT FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id
                   WHERE ap.release_id = r.id AND a.feed_id = f.id AND ap.names IS DISTINCT FROM 'upstream_source')`,
    [feedRoles.fixFeeds],
  );
}

/** Stores for each release whether its feed has advisories for it, and whether a feed lists unfixed packages. */
export async function updateCoverage(client: Statements): Promise<void> {
  await client.query(
    `UPDATE releases r SET covered = NOT covered
     WHERE covered <> EXISTS (SELECT FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id
                              WHERE ap.release_id = r.id AND a.feed_id = r.feed_id)`,
  );
  await updateUnfixedListed(client);
}

/**
 * Stores for each release whether a feed with data lists unfixed packages. Without one, silence about a vulnerability
 * means nothing (`feed_lists_fixes_only`). The release's own feed counts at any age, because hosts get a separate gap
 * if it is outdated. Another feed counts only while its data is current, because no gap reports its age.
 */
export async function updateUnfixedListed(client: Statements): Promise<void> {
  const { unfixedSources } = feedRoles;
  await client.query(
    `UPDATE releases r SET lists_unfixed = NOT lists_unfixed
     WHERE lists_unfixed <> EXISTS (
       SELECT FROM unnest($1::text[], $2::text[]) AS source (feed_id, distribution) JOIN feeds f ON f.id = source.feed_id
       WHERE source.distribution = split_part(r.name, ':', 1)
         AND (f.id = r.feed_id OR ${updatedAtOf('f', 'r')} >= now() - make_interval(secs => f.stale_after_seconds))
         AND EXISTS (SELECT FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id
                     WHERE ap.release_id = r.id AND a.feed_id = f.id))`,
    [unfixedSources.map(({ feedId }) => feedId), unfixedSources.map(({ distribution }) => distribution)],
  );
}

/**
 * SQL: when a feed's data of a release was last known to be complete, from the aliases of `feeds` and
 * `releases`. It is the feed's time, unless the feed has files for that release only.
 */
export function updatedAtOf(feed: string, release: string): string {
  const own = `SELECT fr.updated_at FROM feed_releases fr WHERE fr.feed_id = ${feed}.id AND fr.release = ${release}.name`;
  return `CASE WHEN EXISTS (${own}) THEN (${own}) ELSE ${feed}.updated_at END`;
}
