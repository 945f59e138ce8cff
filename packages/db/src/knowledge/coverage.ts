import { feedRoles } from '@plimsoll/advisories';
import type { Statements } from '../core/transaction.ts';
import { isOutdated } from './known-exploited.ts';
import { noteCoverage } from './release-coverage.ts';

/**
 * Assigns to each release the feed with the newest data among those that list fixes for it. If one feed is
 * synced and another was imported once, coverage is as fresh as the newer of the two. A feed with only
 * upstream's statements does not count: it has no errata of the release's own distribution.
 * @param feedIds the feeds whose data or time changed: no other can have become the freshest; null: any.
 */
export async function letFreshestSpeak(client: Statements, feedIds: readonly string[] | null): Promise<void> {
  const sources = feedRoles.fixSources.filter(({ feedId }) => feedIds === null || feedIds.includes(feedId));
  // First without their statements, because most often no feed is fresher than that of its releases.
  const { rows: fresher } = await client.query<{ releaseId: number; feedId: string }>(
    `SELECT r.id AS "releaseId", f.id AS "feedId"
     FROM unnest($1::text[], $2::text[]) AS source (feed_id, distribution) JOIN feeds f ON f.id = source.feed_id
     JOIN releases r ON split_part(r.name, ':', 1) = source.distribution JOIN feeds c ON c.id = r.feed_id
     WHERE c.id <> f.id AND ${updatedAtOf('f', 'r')} > coalesce(${updatedAtOf('c', 'r')}, '-infinity')`,
    [sources.map(({ feedId }) => feedId), sources.map(({ distribution }) => distribution)],
  );
  if (fresher.length === 0) return;
  await client.query(
    `UPDATE releases r SET feed_id = f.feed_id FROM unnest($1::int[], $2::text[]) AS f (release_id, feed_id)
     WHERE r.id = f.release_id
       AND EXISTS (SELECT FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id
                   WHERE ap.release_id = r.id AND a.feed_id = f.feed_id AND ap.names IS DISTINCT FROM 'upstream_source')`,
    [fresher.map(({ releaseId }) => releaseId), fresher.map(({ feedId }) => feedId)],
  );
}

/**
 * Stores for each release whether its feed has advisories for it, and whether a feed lists unfixed packages.
 * @param feedIds the feeds whose advisories changed; null: any. Only releases of these can lose their coverage.
 */
export async function updateCoverage(client: Statements, feedIds: readonly string[] | null): Promise<void> {
  await client.query(
    `UPDATE releases r SET covered = NOT covered
     WHERE ($1::text[] IS NULL OR NOT covered OR r.feed_id IS NULL OR r.feed_id = ANY($1))
       AND covered <> EXISTS (SELECT FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id
                              WHERE ap.release_id = r.id AND a.feed_id = r.feed_id)`,
    [feedIds],
  );
  await updateUnfixedListed(client);
}

/**
 * Stores for each release whether a feed with data lists unfixed packages. Without one, silence about a vulnerability
 * means nothing (`feed_lists_fixes_only`). The release's own feed counts at any age, because hosts get a separate gap
 * if it is outdated. Another feed counts only while its data is current, because no gap reports its age. Then notes
 * what is known of each release now.
 */
export async function updateUnfixedListed(client: Statements): Promise<void> {
  const { unfixedSources } = feedRoles;
  await client.query(
    `UPDATE releases r SET lists_unfixed = NOT lists_unfixed
     WHERE lists_unfixed <> EXISTS (
       SELECT FROM unnest($1::text[], $2::text[]) AS source (feed_id, distribution) JOIN feeds f ON f.id = source.feed_id
       WHERE source.distribution = split_part(r.name, ':', 1)
         AND (f.id = r.feed_id OR NOT ${isOutdated(updatedAtOf('f', 'r'), 'f')})
         AND EXISTS (SELECT FROM advisory_packages ap JOIN advisories a ON a.id = ap.advisory_id
                     WHERE ap.release_id = r.id AND a.feed_id = f.id))`,
    [unfixedSources.map(({ feedId }) => feedId), unfixedSources.map(({ distribution }) => distribution)],
  );
  await noteCoverage(client, updatedAtOf('f', 'r'));
}

/**
 * SQL: when a feed's data of a release was last known to be complete, from the aliases of `feeds` and
 * `releases`. It is the feed's time, unless the feed has files for that release only.
 */
export function updatedAtOf(feed: string, release: string): string {
  const own = `SELECT fr.updated_at FROM feed_releases fr WHERE fr.feed_id = ${feed}.id AND fr.release = ${release}.name`;
  return `CASE WHEN EXISTS (${own}) THEN (${own}) ELSE ${feed}.updated_at END`;
}
