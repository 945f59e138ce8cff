import type { FleetDay, FleetSummary } from '@plimsoll/contract';
import { createFleetStore } from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import type { ApiUnderTest } from './api-under-test.ts';
import { type EveryKindOfHost, startEveryKindOfHost } from './every-kind-of-host.ts';

const now = new Date('2026-03-01T23:30:00.000Z');
const hourMs = 3600 * 1000;

let api: ApiUnderTest;
let summary: FleetSummary;
let list: EveryKindOfHost['list'];

beforeAll(async () => {
  ({ api, summary, list } = await startEveryKindOfHost(now));
  await syncKev(true);
});
afterAll(() => api.stop());

/** Makes CISA KEV current, or never synced. */
const syncKev = (isSynced: boolean) =>
  api.database.db.pool.query(
    `INSERT INTO feeds (id, updated_at) VALUES ('cisa-kev', $1)
     ON CONFLICT (id) DO UPDATE SET updated_at = excluded.updated_at`,
    [isSynced ? new Date() : null],
  );

/** Exploited findings of the last three days, and the hosts with some. */
async function exploited(query: string) {
  const { body } = await api.admin.get(`/api/v1/fleet/trend?days=3${query}`);
  return (body as FleetDay[]).map(({ totals }) =>
    totals === null ? 'no record' : [totals.findings.known_exploited, totals.hosts_with.known_exploited],
  );
}

/** Notes the last two days before today, of which CISA KEV had data on the last one only, and today without it. */
async function noteAsKevArrives(): Promise<void> {
  const fleet = createFleetStore(api.database.as('scheduler'));
  await api.database.db.pool.query('DELETE FROM fleet_tag_days');
  await api.database.db.pool.query('DELETE FROM fleet_days');
  await syncKev(false);
  await fleet.noteDay(new Date(now.getTime() - 48 * hourMs));
  await fleet.noteDay(new Date(now.getTime() - 24 * hourMs));
  await syncKev(true);
  await fleet.noteDay(new Date(now.getTime() - 23.9 * hourMs));
}

describe('GET /fleet/trend', () => {
  const trend = async (query = '') => {
    const answer = await api.admin.get(`/api/v1/fleet/trend${query}`);
    expect(answer.status).toBe(200);
    return answer.body as { day: string; totals: { hosts: number } | null }[];
  };

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
      by_severity: _severities,
      clear: _clear,
      by_os: _os,
      feeds: _feeds,
      overdue: _overdue,
      by_patch_rhythm: _rhythms,
      ...totals
    } = summary;
    expect(days.at(-1)?.totals).toEqual(totals);
  });

  it('has no number of exploited findings for days before the first sync of CISA KEV', async () => {
    const { findings, hosts_with } = summary;
    const known = [findings.known_exploited, hosts_with.known_exploited];
    await noteAsKevArrives();
    expect(await exploited('')).toEqual([[null, null], known, known]);
    await syncKev(false);
    expect(await exploited('')).toEqual([[null, null], known, [null, null]]);
    await syncKev(true);
    await api.database.db.pool.query('DELETE FROM fleet_days');
  });

  it('has no number of exploited findings while the first import of CISA KEV is not counted on all hosts', async () => {
    const { pool } = api.database.db;
    const { findings, hosts_with } = summary;
    const known = [findings.known_exploited, hosts_with.known_exploited];
    const [fleet, yesterday] = [createFleetStore(api.database.as('scheduler')), now.getTime() - 24 * hourMs];
    await pool.query('DELETE FROM fleet_tag_days');
    await pool.query('DELETE FROM fleet_days');
    await pool.query(
      `INSERT INTO knowledge_changes (at, kind, feeds, counted) VALUES (now(), 'import', '{cisa-kev}', false)`,
    );
    await fleet.noteDay(new Date(yesterday));
    const unknown = [null, null];
    expect(await exploited('')).toEqual(['no record', unknown, unknown]);
    expect((await exploited('&tag=web')).at(-1)).toEqual(unknown);
    await pool.query('UPDATE knowledge_changes SET counted = true');
    expect(await exploited('')).toEqual(['no record', unknown, known]);
    // Of a later import the numbers are those before it, as of every import.
    await fleet.noteDay(new Date(yesterday + 1));
    await pool.query('UPDATE knowledge_changes SET counted = false');
    expect(await exploited('')).toEqual(['no record', known, known]);
    await pool.query('UPDATE knowledge_changes SET counted = true');
    await pool.query('DELETE FROM fleet_tag_days');
    await pool.query('DELETE FROM fleet_days');
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
    expect((await api.admin.get(`/api/v1/fleet/trend?${query}`)).status).toBe(422);
  });
});

describe('GET /fleet/trend?tag=', () => {
  type Day = { day: string; totals: { hosts: number; findings: { critical: number } } | null };
  const trend = async (query: string): Promise<Day[]> => {
    const answer = await api.admin.get(`/api/v1/fleet/trend?days=3&${query}`);
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

  it('has no number of exploited findings for days before the first sync of CISA KEV', async () => {
    await noteAsKevArrives();
    const [before, ...later] = await exploited('&tag=web');
    expect(before).toEqual([null, null]);
    expect(later).toEqual([
      [expect.any(Number), expect.any(Number)],
      [expect.any(Number), expect.any(Number)],
    ]);
    await createFleetStore(api.database.as('scheduler')).dropDaysBefore('2026-02-28');
  });

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
