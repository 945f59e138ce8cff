import type { FleetSummary, Host } from '@plimsoll/contract';
import { type Database, newId } from '@plimsoll/db';
import {
  type ActionGround,
  actionGrounds,
  bitsOfGrounds,
  type DueState,
  dueStates,
  type HostId,
  onboardingModes,
  repositoriesStates,
  severities,
} from '@plimsoll/model';
import { type ApiUnderTest, setUp, startApi } from './api-under-test.ts';

type Pool = Pick<Database, 'pool'>;

/** The hosts of the fleet, pending ones included. */
export const fleetSize = 60;

/** A fleet with hosts of every kind, counted by an API whose clock stands still. */
export interface EveryKindOfHost {
  readonly api: ApiUnderTest;
  /** As counted at the start. */
  readonly summary: FleetSummary;
  /** The approved hosts that a query selects. */
  list(query: string): Promise<{ readonly total: number; readonly hosts: readonly Host[] }>;
}

/** Starts an API with the fleet; the API's clock is `now`. */
export async function startEveryKindOfHost(now: Date): Promise<EveryKindOfHost> {
  const api = await startApi({ tokenLifetimeMinutes: 60 * 24 * 365 * 10 }, () => now);
  await setUp(api);
  await insertHosts(api.database.db, fleetSize);
  const counted = severities.filter((severity) => severity !== 'none');
  const columns = counted.map((one, n) => `unfixed_${one} = CASE WHEN n % 5 = ${n} THEN unfixed ELSE 0 END`);
  await api.database.db.pool.query(
    `UPDATE host_state SET ${columns.join(', ')}
     FROM (SELECT id, split_part(display_name, ' ', 2)::int AS n FROM hosts) h WHERE h.id = host_id`,
  );
  await calm(api.database.db, {
    'host 1': { grounds: [], restart: 'not_needed' },
    'host 2': { grounds: ['open_finding'], restart: 'not_needed' },
    'host 3': { grounds: ['open_finding', 'needs_subscription'], restart: 'not_needed' },
    'host 4': { grounds: [], restart: 'needed' },
    'host 5': { grounds: ['update_waiting'], restart: 'not_needed' },
    'host 6': { grounds: ['open_finding'], restart: 'unknown' },
    'host 8': { grounds: [], restart: 'not_needed' },
    'host 9': { grounds: [], restart: 'unknown' },
  });
  await api.database.db.pool.query(
    `UPDATE host_contacts SET lists_at = NULL WHERE host_id = (SELECT id FROM hosts WHERE display_name = 'host 8')`,
  );
  const { status, body: summary } = await api.admin.get('/api/v1/fleet/summary');
  expect(status).toBe(200);
  return {
    api,
    summary,
    async list(query) {
      const answer = await api.admin.get(`/api/v1/hosts?approval_status=approved&${query}`);
      expect(answer.status).toBe(200);
      expect(answer.body).toHaveLength(Number(answer.headers['x-total-count']));
      return { total: answer.body.length, hosts: answer.body };
    },
  };
}

/** Inserts hosts of every kind, one in seven of them pending. */
async function insertHosts({ pool }: Pool, count: number): Promise<void> {
  await pool.query(
    `INSERT INTO feeds (id, state, updated_at) VALUES
       ('fresh', 'ok', now()), ('old', 'failed', now() - interval '5 days'), ('never', 'never_synced', NULL),
       ('unused', 'ok', now() - interval '99 days')`,
  );
  await pool.query(
    `INSERT INTO releases (id, name, feed_id, covered, ends_at, lists_unfixed) VALUES (1, 'a:1', 'fresh', true, NULL, true),
       (2, 'b:2', 'old', true, NULL, false), (3, 'c:3', 'fresh', true, now() - interval '1 day', false),
       (4, 'd:4', 'never', true, NULL, false)`,
  );
  for (let n = 0; n < count; n++) {
    const id = newId<HostId>();
    await pool.query(
      `INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
       VALUES ($1, $2, $3, $4, $4)`,
      [id, onboardingModes[n % 3], n % 7 === 0 ? 'pending' : 'approved', `host ${n}`],
    );
    await pool.query(
      `INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds, last_confirmed_at, lists_at, repositories_state,
         repository_error)
       VALUES ($1, now(), 3600, now() - $2 * interval '1 hour', now() - $3 * interval '1 day', $4, $5)`,
      [id, n % 3, (n % 4) * 3, repositoriesStates[(n >> 2) % 5] ?? 'current', n % 13 === 5 ? '404' : ''],
    );
    await pool.query(
      `INSERT INTO patch_rhythms (host_id, due, overdue_at) VALUES ($1, false, now() + $2 * interval '1 day')`,
      [id, n % 2 === 0 ? 1 : -1],
    );
    await pool.query(
      `INSERT INTO host_state (host_id, os_name, os_major, release_id, snapshot_id, critical, important, moderate, low,
         unrated, unfixed, known_exploited, unknown, available_updates, updates_known, services_due, reboot_state,
         restart_state, grounds, disagreements, broken_packages)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21)`,
      [
        id,
        n % 5 === 0 ? '' : ['debian', 'ubuntu', 'rhel'][n % 3],
        n % 5 === 0 ? 0 : 9 + (n % 2),
        n % 11 === 0 ? null : 1 + (n % 4),
        n % 6 === 0 ? null : newId(),
        ...[3, 4, 5, 6, 7, 8, 9, 10].map((modulus) => Math.max(0, (n % modulus) - 1)),
        n % 3,
        n % 4 !== 0,
        n % 2,
        dueStates[n % 3],
        dueStates[(n + 1) % 3],
        n % 12 === 11 ? 0 : bitsOfGrounds(['open_finding', actionGrounds[n % 12] ?? 'open_finding']),
        Math.max(0, (n % 5) - 2),
        n % 9 === 4 ? 1 : 0,
      ],
    );
  }
}

/** Makes everything about some hosts known; they then need only the given action. */
async function calm(
  { pool }: Pool,
  hosts: Readonly<Record<string, { grounds: readonly ActionGround[]; restart: DueState }>>,
) {
  for (const [name, { grounds, restart }] of Object.entries(hosts)) {
    await pool.query(
      `UPDATE host_contacts SET last_confirmed_at = now(), lists_at = now(), repositories_state = 'current',
         repository_error = ''
       WHERE host_id = (SELECT id FROM hosts WHERE display_name = $1)`,
      [name],
    );
    await pool.query(
      `UPDATE host_state SET judged_until = '1970-01-01', snapshot_id = gen_random_uuid(), release_id = 1, updates_known = true, available_updates = 0,
         unknown = 0,
         reboot_state = 'not_needed', restart_state = $2, grounds = $3
       WHERE host_id = (SELECT id FROM hosts WHERE display_name = $1)`,
      [name, restart, bitsOfGrounds(grounds)],
    );
  }
}
