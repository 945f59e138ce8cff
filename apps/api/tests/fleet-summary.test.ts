import type { FleetSummary, Host } from '@plimsoll/contract';
import { createFleetStore, newId } from '@plimsoll/db';
import {
  type ActionGround,
  actionGrounds,
  bitsOfGrounds,
  coverages,
  type DueState,
  dueStates,
  findingGaps,
  gaps,
  type HostId,
  hostStatuses,
  onboardingModes,
  overallActions,
  patchRhythmStates,
  repositoriesStates,
  updateGaps,
  updatesStates,
  wholeFleet,
} from '@plimsoll/model';
import { type ApiUnderTest, setUp, startApi } from './api-under-test.ts';

const now = new Date('2026-03-01T23:30:00.000Z');
const hourMs = 3600 * 1000;

let api: ApiUnderTest;
let token: string;
let summary: FleetSummary;

/** Inserts hosts of every kind, one in seven of them pending. */
async function insertHosts(count: number): Promise<void> {
  const { pool } = api.database.db;
  await pool.query(
    `INSERT INTO feeds (id, state, updated_at) VALUES
       ('fresh', 'ok', now()), ('old', 'failed', now() - interval '5 days'), ('never', 'never_synced', NULL),
       ('unused', 'ok', now() - interval '99 days')`,
  );
  await pool.query(
    `INSERT INTO releases (id, name, feed_id, covered, ends_at) VALUES (1, 'a:1', 'fresh', true, NULL),
       (2, 'b:2', 'old', true, NULL), (3, 'c:3', 'fresh', true, now() - interval '1 day'), (4, 'd:4', 'never', true, NULL)`,
  );
  for (let n = 0; n < count; n++) {
    const id = newId<HostId>();
    await pool.query(
      `INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
       VALUES ($1, $2, $3, $4, $4)`,
      [id, onboardingModes[n % 3], n % 7 === 0 ? 'pending' : 'approved', `host ${n}`],
    );
    await pool.query(
      `INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds, last_confirmed_at, lists_at, repositories_state)
       VALUES ($1, now(), 3600, now() - $2 * interval '1 hour', now() - $3 * interval '1 day', $4)`,
      [id, n % 3, (n % 4) * 3, repositoriesStates[(n >> 2) % 5] ?? 'current'],
    );
    await pool.query(
      `INSERT INTO patch_rhythms (host_id, due, overdue_at) VALUES ($1, false, now() + $2 * interval '1 day')`,
      [id, n % 2 === 0 ? 1 : -1],
    );
    await pool.query(
      `INSERT INTO host_state (host_id, os_name, os_major, release_id, snapshot_id, critical, important, moderate, low,
         unrated, unfixed, known_exploited, unknown, available_updates, updates_known, services_due, reboot_state,
         restart_state, grounds, disagreements)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)`,
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
      ],
    );
  }
}

/** Makes everything about some hosts known; they then need only the given action. */
async function calm(
  hosts: Readonly<Record<string, { grounds: readonly ActionGround[]; restart: DueState }>>,
) {
  const { pool } = api.database.db;
  for (const [name, { grounds, restart }] of Object.entries(hosts)) {
    await pool.query(
      `UPDATE host_contacts SET last_confirmed_at = now(), lists_at = now(), repositories_state = 'current'
       WHERE host_id = (SELECT id FROM hosts WHERE display_name = $1)`,
      [name],
    );
    await pool.query(
      `UPDATE host_state SET snapshot_id = gen_random_uuid(), release_id = 1, updates_known = true, available_updates = 0,
         reboot_state = 'not_needed', restart_state = $2, grounds = $3
       WHERE host_id = (SELECT id FROM hosts WHERE display_name = $1)`,
      [name, restart, bitsOfGrounds(grounds)],
    );
  }
}

beforeAll(async () => {
  api = await startApi({ tokenLifetimeMinutes: 60 * 24 * 365 * 10 }, () => now);
  token = await setUp(api);
  await insertHosts(60);
  await calm({
    'host 1': { grounds: [], restart: 'not_needed' },
    'host 2': { grounds: ['open_finding'], restart: 'not_needed' },
    'host 3': { grounds: ['open_finding', 'needs_subscription'], restart: 'not_needed' },
    'host 4': { grounds: [], restart: 'needed' },
    'host 5': { grounds: ['update_waiting'], restart: 'not_needed' },
    'host 6': { grounds: ['open_finding'], restart: 'unknown' },
    'host 8': { grounds: [], restart: 'not_needed' },
  });
  await api.database.db.pool.query(
    `UPDATE host_contacts SET lists_at = NULL WHERE host_id = (SELECT id FROM hosts WHERE display_name = 'host 8')`,
  );
  const answer = await api.get('/api/v1/fleet/summary', { token });
  expect(answer.status).toBe(200);
  summary = answer.body;
});
afterAll(() => api.stop());

async function list(query: string): Promise<{ total: number; hosts: Host[] }> {
  const answer = await api.get(`/api/v1/hosts?approval_status=approved&${query}`, { token });
  expect(answer.status).toBe(200);
  expect(answer.body).toHaveLength(Number(answer.headers['x-total-count']));
  return { total: answer.body.length, hosts: answer.body };
}

describe('GET /fleet/summary', () => {
  it('counts what GET /hosts lists, for every number of hosts', async () => {
    const queries: [string, number][] = [
      ['', summary.hosts],
      ...overallActions.map((word): [string, number] => [`overall_action=${word}`, summary.by_action[word]]),
      ...hostStatuses.map((word): [string, number] => [`status=${word}`, summary.by_status[word]]),
      ...coverages.map((word): [string, number] => [`coverage=${word}`, summary.by_coverage[word]]),
      ...onboardingModes.map((word): [string, number] => [
        `onboarding_mode=${word}`,
        summary.by_onboarding_mode[word],
      ]),
      ...dueStates.map((word): [string, number] => [`reboot_state=${word}`, summary.by_reboot_state[word]]),
      ...dueStates.map((word): [string, number] => [`restart_state=${word}`, summary.by_restart_state[word]]),
      ...updatesStates.map((word): [string, number] => [
        `updates_state=${word}`,
        summary.by_updates_state[word],
      ]),
      ...repositoriesStates.map((word): [string, number] => [
        `repositories_state=${word}`,
        summary.by_repositories_state[word],
      ]),
      ...patchRhythmStates.map((word): [string, number] => [
        `patch_rhythm=${word}`,
        summary.by_patch_rhythm[word],
      ]),
      ...gaps.map((word): [string, number] => [`gap=${word}`, summary.by_gap[word]]),
      ['findings_known=false', summary.findings_unknown_hosts],
      ['updates_known=false', summary.updates_unknown_hosts],
      ...summary.by_os.map((os): [string, number] => [
        `os_name=${os.os_name}&os_major=${os.os_major}`,
        os.hosts,
      ]),
      ...(['critical', 'important', 'moderate', 'low', 'unrated'] as const).map((word): [string, number] => [
        `finding_severity=${word}`,
        summary.hosts_with[word],
      ]),
      ['has_findings=true', summary.hosts_with.findings],
      ['unfixed=true', summary.hosts_with.unfixed],
      ['known_exploited=true', summary.hosts_with.known_exploited],
      ['has_updates=true', summary.hosts_with.updates],
      ['has_disagreements=true', summary.hosts_with.disagreements],
    ];
    // One after the other: a user has few requests at a time.
    for (const [query, n] of queries) expect([query, (await list(query)).total]).toEqual([query, n]);
    // A zero would prove nothing.
    expect(queries.filter(([, n]) => n === 0).map(([query]) => query)).toEqual(['status=unreachable']);
  });

  it('sums the columns of the listed hosts', async () => {
    const { hosts } = await list('');
    const sum = (column: keyof Host) => hosts.reduce((n, host) => n + Number(host[column]), 0);
    expect(summary.findings).toEqual({
      critical: sum('critical_count'),
      important: sum('important_count'),
      moderate: sum('moderate_count'),
      low: sum('low_count'),
      unrated: sum('unrated_count'),
      unfixed: sum('unfixed_count'),
      known_exploited: sum('known_exploited_count'),
      waived: 0,
    });
    expect(summary.available_updates).toBe(sum('available_updates'));
    expect(summary.disagreements).toBe(sum('disagreement_count'));
    expect(summary.unknown_packages).toBe(sum('unknown_count'));
    expect(summary.findings.known_exploited).toBeGreaterThan(0);
  });

  it('counts pending hosts only in their own number', async () => {
    const pending = await api.get('/api/v1/hosts?approval_status=pending', { token });
    expect(summary.pending_approvals).toBe(pending.body.length);
    expect(summary.hosts + summary.pending_approvals).toBe(60);
    for (const by of [summary.by_action, summary.by_status, summary.by_coverage, summary.by_reboot_state]) {
      expect(Object.values(by).reduce((a, b) => a + b, 0)).toBe(summary.hosts);
    }
    expect(summary.by_os.reduce((n, { hosts }) => n + hosts, 0)).toBe(summary.hosts);
  });

  it('names only the feeds that cover approved hosts, the oldest first', () => {
    expect(summary.feeds.in_use.map(({ id }) => id)).toEqual(['never', 'old', 'fresh']);
    expect(summary.feeds.oldest_updated_at).toBeNull();
    expect(summary.feeds.by_state).toEqual({ never_synced: 1, ok: 1, failed: 1 });
    expect(summary.feeds.by_freshness).toEqual({ never_synced: 1, current: 1, outdated: 1 });
    expect(summary.feeds.in_use.map(({ freshness }) => freshness)).toEqual([
      'never_synced',
      'outdated',
      'current',
    ]);
  });

  it('is for users only', async () => {
    expect((await api.get('/api/v1/fleet/summary')).status).toBe(401);
    expect((await api.get('/api/v1/fleet/trend')).status).toBe(401);
  });
});

describe('the order of GET /hosts', () => {
  it.each([
    'status',
    '-status',
    'os_major',
    '-disagreement_count',
    'waived_count',
    '-overall_action',
    'due_at',
    'reported_at',
  ])('by %s goes through all hosts once, page by page', async (sort) => {
    const whole = await list(`sort=${sort}`);
    const seen: string[] = [];
    let path = `/api/v1/hosts?approval_status=approved&sort=${sort}&limit=7`;
    for (let page = 0; page < 20 && path !== ''; page++) {
      const answer = await api.get(path, { token });
      seen.push(...answer.body.map(({ id }: Host) => id));
      path = (/^<([^>]+)>/.exec(answer.headers['link'] ?? '')?.[1] ?? '').replace(api.url, '');
    }
    expect(seen).toEqual(whole.hosts.map(({ id }) => id));
  });

  it('by status puts the most urgent first', async () => {
    const { hosts } = await list('sort=status');
    const places = hosts.map(({ status }) => hostStatuses.indexOf(status));
    expect(places).toEqual([...places].sort((a, b) => a - b));
    expect(new Set(places).size).toBeGreaterThan(1);
  });
});

describe('GET /fleet/trend', () => {
  const trend = async (query = '') => {
    const answer = await api.get(`/api/v1/fleet/trend${query}`, { token });
    expect(answer.status).toBe(200);
    return answer.body as { day: string; totals: { hosts: number } | null }[];
  };

  it('says how many hosts its zeros do not cover', async () => {
    const { hosts } = await list('');
    const withAny = (some: readonly string[]) =>
      hosts.filter((host) => host.gaps.some((gap) => some.includes(gap))).length;
    expect(summary.findings_unknown_hosts).toBe(withAny(findingGaps));
    expect(summary.updates_unknown_hosts).toBe(withAny(updateGaps));
    expect(summary.findings_unknown_hosts).toBeGreaterThan(0);
  });

  it('has nothing that an earlier version did not count, and no zero in its place', async () => {
    const {
      byAction,
      byGap: _gap,
      byRepositoriesState: _state,
      ...rest
    } = (await api.context.stores.fleet.summarise(wholeFleet)).totals;
    const { findingsUnknown: _findings, updatesUnknown: _updates, ...earlier } = rest;
    await api.database.db.pool.query(
      `INSERT INTO fleet_days (day, noted_at, totals) VALUES ('2026-02-20', now(), $1)`,
      [JSON.stringify({ ...earlier, byAction })],
    );
    const day = (await trend()).find(({ day: of }) => of === '2026-02-20');
    expect(day?.totals).toMatchObject({
      hosts: summary.hosts,
      by_action: null,
      by_gap: null,
      findings_unknown_hosts: null,
      updates_unknown_hosts: null,
    });
  });

  it('has an entry for each of the last 90 days; the last has the current numbers', async () => {
    const days = await trend();
    expect(days).toHaveLength(90);
    expect(days[0]?.day).toBe('2025-12-02');
    expect(days.at(-1)?.day).toBe('2026-03-01');
    const {
      as_of: _asOf,
      by_os: _os,
      feeds: _feeds,
      overdue: _overdue,
      by_patch_rhythm: _rhythms,
      ...totals
    } = summary;
    expect(days.at(-1)?.totals).toEqual(totals);
  });

  it('shows the last record of each day, and nothing for days without one', async () => {
    const fleet = createFleetStore(api.database.as('scheduler'));
    await fleet.noteDay(new Date(now.getTime() - 48 * hourMs));
    const before = await trend('?days=4');
    expect(before.map(({ day, totals }) => [day, totals === null ? null : totals.hosts])).toEqual([
      ['2026-02-26', null],
      ['2026-02-27', summary.hosts],
      ['2026-02-28', null],
      ['2026-03-01', summary.hosts],
    ]);
    const { pool } = api.database.db;
    await pool.query(`UPDATE hosts SET approval_status = 'pending' WHERE display_name = 'host 1'`);
    await fleet.noteDay(new Date(now.getTime() - 49 * hourMs));
    expect((await trend('?days=3'))[0]?.totals?.hosts).toBe(summary.hosts);
    await fleet.noteDay(new Date(now.getTime() - 47.9 * hourMs));
    expect((await trend('?days=3'))[0]?.totals?.hosts).toBe(summary.hosts - 1);
    await pool.query(`UPDATE hosts SET approval_status = 'approved' WHERE display_name = 'host 1'`);
    await fleet.dropDaysBefore('2026-02-28');
    expect((await trend('?days=3'))[0]?.totals).toBeNull();
  });

  it.each(['days=0', 'days=3651', 'days=x', 'tag=', 'days=1&days=2'])('refuses %s', async (query) => {
    expect((await api.get(`/api/v1/fleet/trend?${query}`, { token })).status).toBe(422);
  });
});

describe('GET /fleet/trend?tag=', () => {
  type Day = { day: string; totals: { hosts: number; findings: { critical: number } } | null };
  const trend = async (query: string): Promise<Day[]> => {
    const answer = await api.get(`/api/v1/fleet/trend?days=3&${query}`, { token });
    expect(answer.status).toBe(200);
    return answer.body;
  };
  const listed = async (...tags: string[]) => {
    const { hosts } = await list('');
    const tagged = hosts.filter((host) => host.tags.some((tag) => tags.includes(tag)));
    return { hosts: tagged.length, critical: tagged.reduce((n, host) => n + host.critical_count, 0) };
  };
  const numbers = (day: Day | undefined) =>
    day?.totals == null ? null : { hosts: day.totals.hosts, critical: day.totals.findings.critical };

  beforeAll(async () => {
    await api.database.db.pool.query(
      `UPDATE hosts SET tags = (CASE WHEN n % 2 = 0 THEN '{web}' ELSE '{}' END)::text[]
         || (CASE WHEN n % 3 = 0 THEN '{db}' ELSE '{}' END)::text[] || (CASE WHEN n % 5 = 0 THEN '{"a, b"}' ELSE '{}' END)::text[]
       FROM (SELECT id, split_part(display_name, ' ', 2)::int AS n FROM hosts) numbered WHERE numbered.id = hosts.id`,
    );
    await createFleetStore(api.database.as('scheduler')).noteDay(new Date(now.getTime() - 24 * hourMs));
  });

  it.each([[['web']], [['db']], [['a, b']], [['web', 'db']], [['web', 'db', 'a, b', 'web']]])(
    'counts each host with one of %j once, now and on a past day',
    async (tags) => {
      const days = await trend(tags.map((tag) => `tag=${encodeURIComponent(tag)}`).join('&'));
      const wanted = await listed(...tags);
      expect(wanted.hosts).toBeGreaterThan(0);
      expect(days.map(({ day }) => day)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
      expect(days.map(numbers)).toEqual([null, wanted, wanted]);
    },
  );

  it('keeps the tags that hosts had on each day', async () => {
    const before = await listed('web');
    const { pool } = api.database.db;
    await pool.query(`UPDATE hosts SET tags = array_remove(tags, 'web') WHERE display_name = 'host 2'`);
    const days = await trend('tag=web');
    expect(numbers(days[1])).toEqual(before);
    expect(numbers(days[2])).toEqual(await listed('web'));
    expect(days[2]?.totals?.hosts).toBe(before.hosts - 1);
    await pool.query(`UPDATE hosts SET tags = tags || '{web}' WHERE display_name = 'host 2'`);
  });

  it('is zero if no host had the tag, and unknown if hosts were not counted by it', async () => {
    expect((await trend('tag=none')).map(numbers)).toEqual([
      null,
      { hosts: 0, critical: 0 },
      { hosts: 0, critical: 0 },
    ]);
    await api.database.db.pool.query('UPDATE fleet_tag_days SET is_complete = false');
    expect((await trend('tag=none')).map(numbers)).toEqual([null, null, { hosts: 0, critical: 0 }]);
    expect((await trend('tag=web&tag=none')).map(numbers)[1]).toBeNull();
    expect((await trend('tag=web')).map(numbers)[1]).toEqual(await listed('web'));
  });

  it('has all numbers of the whole fleet', async () => {
    const [, , today] = await trend('tag=web');
    const [, past] = await trend('tag=web');
    expect(Object.keys(past?.totals ?? {}).sort()).toEqual(Object.keys(today?.totals ?? {}).sort());
    expect(past?.totals).toEqual(today?.totals);
  });

  it('drops days with those of the fleet', async () => {
    await createFleetStore(api.database.as('scheduler')).dropDaysBefore('2026-03-01');
    expect((await trend('tag=web')).map(numbers).slice(0, 2)).toEqual([null, null]);
  });
});
