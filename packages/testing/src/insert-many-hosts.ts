import type { Database } from '@plimsoll/db';

/**
 * Inserts approved hosts `host-000001` and on, of every kind, with SQL; enrolling this many through the API is too
 * slow.
 */
export async function insertManyHosts({ pool }: Database, count: number): Promise<void> {
  await pool.query(`INSERT INTO feeds (id, state, updated_at) VALUES ('made-up', 'ok', now())`);
  await pool.query(
    `INSERT INTO releases (id, name, feed_id, covered) VALUES (900, 'made:up', 'made-up', true)`,
  );
  await pool.query(
    `WITH made AS (SELECT gen_random_uuid() AS id, n, 'host-' || lpad(n::text, 6, '0') AS name
                   FROM generate_series(1, $1::int) n),
     h AS (INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname, tags)
           SELECT id, (ARRAY['agent', 'manual'])[1 + n % 2], 'approved', name, name || '.example.org',
             CASE WHEN n % 1000 = 7 THEN ARRAY['lucky'] ELSE '{}' END FROM made),
     c AS (INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds, last_confirmed_at, lists_at)
           SELECT id, now() - n * interval '1 second', 900000, now(), now() FROM made)
     INSERT INTO host_state (host_id, os_name, os_major, os_version, os_family, release_id, snapshot_id, critical, important,
       moderate, low, unfixed, known_exploited, available_updates, updates_known, reboot_state, restart_state, grounds)
     SELECT id, (ARRAY['debian', 'ubuntu', 'rhel', 'almalinux'])[1 + n % 4], 8 + n % 3, '12.8', 'apt', 900,
       gen_random_uuid(), n % 3, n % 7, n % 11, n % 13, n % 100, CASE WHEN n % 50 = 0 THEN 1 ELSE 0 END, n % 30, true,
       (ARRAY['needed', 'not_needed', 'unknown'])[1 + n % 3], 'not_needed',
       (ARRAY[0, 1, 2, 17, 35, 329, 1123])[1 + n % 7]
     FROM made`,
    [count],
  );
  await pool.query('ANALYZE');
}
