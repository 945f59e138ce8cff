import type { Pool } from 'pg';

/** The times from which reads about the past are made. */
const times: Readonly<Record<string, readonly string[]>> = {
  snapshots: ['received_at', 'reported_at', 'prior_confirmed_at', 'lists_at'],
  release_coverage: ['at', 'updated_at'],
  host_state: ['first_snapshot_at'],
  host_contacts: ['last_confirmed_at', 'lists_at'],
  feeds: ['updated_at'],
  feed_releases: ['updated_at'],
  package_changes: ['at'],
  host_changes: ['at'],
  advisories: ['since'],
  advisory_packages: ['since', 'first_seen_at'],
  package_version_advisories: ['since', 'known_at'],
  cves: ['exploited_known_at', 'ssvc_known_at'],
  knowledge_changes: ['at'],
  past_advisories: ['since', 'until'],
  past_statements: ['since', 'until', 'first_seen_at'],
  past_matches: ['since', 'until', 'known_at'],
  past_cve_facts: ['since', 'until'],
  waivers: ['created_at', 'expires_at', 'ended_at'],
};

/** Moves everything that happened so far into the past, so that a test can go on days later. */
export async function ageHistory(pool: Pool, days: number): Promise<void> {
  for (const [table, columns] of Object.entries(times)) {
    const moves = columns.map((column) => `${column} = ${column} - make_interval(days => $1)`);
    await pool.query(`UPDATE ${table} SET ${moves.join(', ')}`, [days]);
  }
  await pool.query('UPDATE patch_rhythms SET due = true, sequence = 0, days = DEFAULT');
}
