import type pg from 'pg';

/** The number of approved hosts that must have a date before it counts. */
const witnesses = 3;

/**
 * Updates the newest known dates of some repositories, or of all (null): the later of the publisher's date and of the
 * newest date that three approved hosts have reached. Ignores dates in the future. Returns the number of changed dates;
 * the copies of these repositories must be judged again. Locks the changed rows in the order of their ids, because
 * every upload may change several of them.
 */
export async function moveNewestDates(
  client: pg.Pool | pg.PoolClient,
  repositoryIds: readonly number[] | null,
): Promise<number> {
  const { rowCount } = await client.query(
    `WITH moved AS MATERIALIZED (
     SELECT r.id, n.newest_at, n.source FROM repositories r
     JOIN (SELECT k.id, greatest(k.publisher_at, seen.at) AS newest_at,
             CASE WHEN k.publisher_at >= coalesce(seen.at, k.publisher_at) THEN 'publisher'
                  WHEN seen.at IS NOT NULL THEN 'hosts' END AS source
           FROM (SELECT id, CASE WHEN publisher_at <= now() THEN publisher_at END AS publisher_at FROM repositories
                 WHERE $1::int[] IS NULL OR id = ANY($1::int[])) k
           LEFT JOIN LATERAL (
             SELECT hr.published_at AS at FROM host_repositories hr
             JOIN hosts h ON h.id = hr.host_id AND h.approval_status = 'approved'
             WHERE hr.repository_id = k.id AND hr.published_at <= now() AND hr.counted
             ORDER BY hr.published_at DESC OFFSET ${witnesses - 1} LIMIT 1) seen ON true) n ON n.id = r.id
     WHERE (r.newest_at, r.newest_source) IS DISTINCT FROM (n.newest_at, n.source)
     ORDER BY r.id FOR NO KEY UPDATE OF r)
     UPDATE repositories r SET newest_at = moved.newest_at, newest_source = moved.source
     FROM moved WHERE moved.id = r.id`,
    [repositoryIds],
  );
  return rowCount ?? 0;
}
