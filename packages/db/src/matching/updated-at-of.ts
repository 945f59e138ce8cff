/**
 * SQL: when a feed's data of a release was last known to be complete, from the aliases of `feeds` and `releases`. It is
 * the time of the feed, unless the feed has files for that release alone.
 */
export function updatedAtOf(feed: string, release: string): string {
  const own = `SELECT fr.updated_at FROM feed_releases fr WHERE fr.feed_id = ${feed}.id AND fr.release = ${release}.name`;
  return `CASE WHEN EXISTS (${own}) THEN (${own}) ELSE ${feed}.updated_at END`;
}
