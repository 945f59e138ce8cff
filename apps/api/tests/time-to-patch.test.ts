import type { ExposureAnswer, TimeToPatchAnswer } from '@plimsoll/contract';
import { createExposureWalkStore } from '@plimsoll/db';
import { ageHistory } from '@plimsoll/testing';
import { apiPerTest } from './api-under-test.ts';
import {
  debianOffer,
  debianRecord,
  opensshHost,
  reportAgain,
  reportingHost,
  toRestart,
} from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerTest();
const record = (fixed: string | undefined, n: number, more: object = {}) =>
  debianRecord(`DEBIAN-CVE-2024-000${n}`, 'openssh', {
    ...(fixed === undefined ? {} : { fixed }),
    cves: [`CVE-2024-000${n}`],
    urgency: 'high',
    ...more,
  });
const offer = (to: string) => ({ upgradable: [debianOffer('openssh', {}, '1:9.2p1-1', to)] });

async function age(days: number): Promise<void> {
  await ageHistory(api.database.db.pool, days);
  await api.database.db.pool.query('UPDATE hosts SET created_at = created_at - make_interval(days => $1)', [
    days,
  ]);
}

async function read(query = ''): Promise<TimeToPatchAnswer> {
  const { status, body } = await api.admin.get(`/api/v1/fleet/time-to-patch${query}`);
  expect(status).toBe(200);
  return body;
}

const important = async (query = '') => {
  const { important: times } = (await read(query)).by_severity;
  if (times === undefined) throw new Error('no times');
  return times;
};

it('says of how many hosts not all exposures are known', async () => {
  await importOsv(api.database, [record('1:9.2p1-2', 1)]);
  await reportingHost(api, 'judged', opensshHost('1:9.2p1-2'));
  expect(await read()).toMatchObject({ hosts: 1, by_severity: {}, findings_unknown_hosts: 0 });
  // No feed states anything about this release.
  await reportingHost(api, 'unjudged', { ...opensshHost('1:9.2p1-1'), release: '99' });
  expect(await read()).toMatchObject({ hosts: 2, by_severity: {}, findings_unknown_hosts: 1 });
});

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();

/** A host that patches one advisory after three days, and keeps one that has no fix. */
async function patchedHost(name: string) {
  const host = await reportingHost(api, name, opensshHost('1:9.2p1-1'));
  await age(1);
  await reportAgain(api, host, name, opensshHost('1:9.2p1-1', offer('1:9.2p1-2')));
  await age(2);
  await reportAgain(api, host, name, opensshHost('1:9.2p1-2', toRestart('ssh.service')));
  await age(1);
  await reportAgain(api, host, name, opensshHost('1:9.2p1-2', toRestart()));
  return host;
}

it('says how long exposures took and where the time went', async () => {
  await importOsv(api.database, [record('1:9.2p1-2', 1), record(undefined, 2), record('1:9.2p1-9', 3)]);
  const host = await patchedHost('alpha');
  const { body: exposures } = await api.admin.get(`/api/v1/hosts/${host.id}/exposures`);
  const [closed] = (exposures as ExposureAnswer[]).filter(({ until }) => until !== null);
  const hours = (from?: string | null, to?: string | null) =>
    Math.ceil((Date.parse(to ?? '') - Date.parse(from ?? '')) / 3_600_000);
  expect(await important()).toMatchObject({
    closed: 1,
    open: 1,
    open_without_fix: 1,
    open_on_silent_hosts: 0,
    ended_otherwise: {
      advisory_published: 0,
      advisory_changed: 0,
      advisory_withdrawn: 0,
      rules_changed: 0,
      source_changed: 0,
    },
    median_hours: hours(closed?.from, closed?.until),
    p90_hours: hours(closed?.from, closed?.until),
    // The open one with a fix is late for three days, and not yet for seven.
    within: { '3': 0, '7': 1, '14': 1, '30': 1, '90': 1 },
    // Seven days are not over for any of them.
    cohorts: { '3': { closed: 0, of: 2 }, '7': { closed: 0, of: 0 } },
    stages: {
      known: null,
      offered: hours(closed?.from, closed?.offered_at),
      installed: hours(closed?.offered_at, closed?.installed_at),
      running: hours(closed?.installed_at, closed?.running_at),
    },
  });
  expect(hours(closed?.from, closed?.until)).toBe(73);
});

it('tells edits and withdrawals of vendors, and deleted hosts, apart from patching', async () => {
  await importOsv(api.database, [record('1:9.2p1-2', 1), record('1:9.2p1-2', 2), record('1:9.2p1-2', 3)]);
  await reportingHost(api, 'alpha', opensshHost('1:9.2p1-1'));
  const beta = await patchedHost('beta');
  await importOsv(api.database, [
    record('1:9.2p1-1', 1),
    record('1:9.2p1-2', 2, { withdrawn: '2025-02-01T00:00:00Z' }),
    record('1:9.2p1-2', 3),
  ]);
  const before = await important();
  expect(before).toMatchObject({ closed: 3, open: 1 });
  expect(before.ended_otherwise).toMatchObject({ advisory_changed: 1, advisory_withdrawn: 1 });
  expect((await api.admin.delete(`/api/v1/hosts/${beta.id}`)).status).toBe(204);
  expect(await important()).toMatchObject({ closed: 0, open: 1, ended_otherwise: before.ended_otherwise });
});

/** The same flaw as record 1, as the security tracker has it. */
const tracked = (fixed: string | null) => ({
  package: 'openssh',
  id: 'CVE-2024-0001',
  issue: {
    scope: 'remote',
    releases: {
      bookworm: {
        status: fixed === null ? 'open' : 'resolved',
        repositories: { bookworm: '1:9.2p1-1' },
        ...(fixed === null ? {} : { fixed_version: fixed }),
        urgency: 'high',
      },
    },
  },
});

it('counts from the first record about a CVE when another one counts later', async () => {
  const track = (fixed: string | null) => importOsv(api.database, [tracked(fixed)], 'debian-tracker');
  await track(null);
  await importOsv(api.database, [record(undefined, 1)]);
  const host = await reportingHost(api, 'alpha', opensshHost('1:9.2p1-1'));
  await age(10);
  await importOsv(api.database, [record('1:9.2p1-2', 1)]);
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-1', offer('1:9.2p1-2')));
  await age(2);
  await track('1:9.2p1-2');
  await age(1);
  const open = await important();
  expect(open).toMatchObject({ closed: 0, open: 1, open_without_fix: 0, within: { '7': 0, '14': null } });
  expect(Object.values(open.ended_otherwise)).toEqual([0, 0, 0, 0, 0]);
  expect(new Set(open.open_by_day.filter((count) => count !== null))).toEqual(new Set([1]));
  // Then no fix was known, and at no time are two of them open.
  expect(await important(`?to=${daysAgo(5)}`)).toMatchObject({ open: 0, open_without_fix: 1 });
  expect(await important(`?to=${daysAgo(2)}`)).toMatchObject({ open: 1, open_without_fix: 0 });
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-2', toRestart()));
  const { body } = await api.admin.get(`/api/v1/hosts/${host.id}/exposures`);
  const links = (body as ExposureAnswer[]).map(({ from_cause, until_cause }) => [from_cause, until_cause]);
  expect(links).toEqual([
    ['source_changed', 'package_changed'],
    ['source_changed', 'source_changed'],
    ['first_snapshot', 'source_changed'],
  ]);
  const closed = { closed: 1, open: 0, open_without_fix: 0, within: { '7': 0, '14': 1 } };
  const stages = { known: null, offered: 241, installed: 73, running: 0 };
  const expected = { ...closed, median_hours: 313, stages, ended_otherwise: { source_changed: 0 } };
  expect(await important()).toMatchObject(expected);
  // The same of what is stored, and of an answer of before.
  const walks = createExposureWalkStore(api.database.as('advisory-worker'));
  expect(await walks.walk(new AbortController().signal)).toBe(1);
  expect(await important()).toMatchObject(expected);
  expect(await important(`?to=${daysAgo(5)}`)).toMatchObject({ open: 0, open_without_fix: 1 });
  expect(await important(`?to=${daysAgo(2)}`)).toMatchObject({ open: 1, within: { '7': 0, '14': null } });
  await age(5);
  await api.database.db.pool.query('UPDATE exposure_walks SET due = true');
  // A fix was known eight days ago, and installed three days later; a later period has no share in it.
  const shares = { '3': { closed: 0, of: 1 }, '7': { closed: 1, of: 1 }, '14': { closed: 0, of: 0 } };
  expect((await important()).cohorts).toMatchObject(shares);
  expect((await important(`?from=${daysAgo(9)}&to=${daysAgo(7)}`)).cohorts).toMatchObject(shares);
  expect((await important(`?from=${daysAgo(7)}`)).cohorts['7']).toEqual({ closed: 0, of: 0 });
});

const erratum = debianRecord('DSA-1-1', 'openssh', {
  fixed: '1:9.2p1-2',
  cves: ['CVE-2024-0001'],
  urgency: 'high',
});

it('goes by the CVEs of the moment when another record came to count', async () => {
  await importOsv(api.database, [erratum]);
  await reportingHost(api, 'alpha', opensshHost('1:9.2p1-1'));
  await age(3);
  await importOsv(api.database, [erratum, record('1:9.2p1-2', 1)]);
  await age(1);
  await importOsv(api.database, [record('1:9.2p1-2', 1, { cves: ['CVE-2024-0009'] })]);
  const { all } = await read();
  expect(all).toMatchObject({ open: 1, within: { '3': 0 }, ended_otherwise: { source_changed: 0 } });
});

it('days before the first report and the first advisories are not known, and not zero', async () => {
  expect((await read(`?from=${daysAgo(2)}`)).all.open_by_day).toEqual([null, null, null]);
  const host = await reportingHost(api, 'alpha', opensshHost('1:9.2p1-1'));
  await age(2);
  const before = await read(`?from=${daysAgo(4)}`);
  expect(before).toMatchObject({ hosts: 1, history_from: null });
  expect(before.all.open_by_day).toEqual([null, null, null, null, null]);
  await importOsv(api.database, [record('1:9.2p1-2', 1)]);
  await age(2);
  await reportAgain(api, host, 'alpha', opensshHost('1:9.2p1-2'));
  const after = await read(`?from=${daysAgo(5)}`);
  expect(after.history_from?.slice(0, 10)).toBe(daysAgo(2).slice(0, 10));
  expect(after.all.open_by_day).toEqual([null, null, null, 1, 1, 0]);
  expect((await read(`?from=${daysAgo(1)}`)).all.open_by_day).toEqual([1, 0]);
  expect((await read(`?tag=none`)).all.open_by_day).not.toContain(0);
});

it('has in no share what was waived when its days were over', async () => {
  await importOsv(api.database, [record('1:9.2p1-2', 1)]);
  const alpha = await reportingHost(api, 'alpha', opensshHost('1:9.2p1-1'));
  await reportingHost(api, 'beta', opensshHost('1:9.2p1-1'));
  const waiver = { kind: 'risk_accepted', advisories: ['CVE-2024-0001'], hosts: [alpha.id], reason: 'test' };
  const json = { ...waiver, expires_at: new Date(Date.now() + 30 * 86_400_000).toISOString() };
  expect((await api.admin.post('/api/v1/waivers', { json })).status).toBe(201);
  await age(5);
  expect((await important()).cohorts).toMatchObject({ '3': { closed: 0, of: 1 }, '7': { closed: 0, of: 0 } });
});

it('counts hosts with one of the tags, and one severity', async () => {
  await importOsv(api.database, [record('1:9.2p1-2', 1)]);
  const [alpha, beta] = [await patchedHost('alpha'), await patchedHost('beta')];
  await patchedHost('gamma');
  for (const [host, tags] of [
    [alpha, ['web']],
    [beta, ['web', 'db']],
  ] as const)
    await api.admin.patch(`/api/v1/hosts/${host.id}`, { json: { tags } });
  const closed = async (query: string) => (await important(query)).closed;
  expect(await closed('')).toBe(3);
  expect(await closed('?tag=web&tag=db')).toBe(2);
  expect(await closed('?tag=db')).toBe(1);
  expect(await closed('?tag=none')).toBe(0);
  const walks = createExposureWalkStore(api.database.as('advisory-worker'));
  expect(await walks.walk(new AbortController().signal)).toBe(3);
  expect(await closed('?tag=web&tag=db')).toBe(2);
  expect(await closed('')).toBe(3);
  const answer = await read('?severity=critical');
  expect(Object.keys(answer.by_severity)).toEqual(['critical']);
  expect(answer.by_severity.critical).toMatchObject({ closed: 0, within: { '3': null } });
});

it('says how many hosts are not counted yet', async () => {
  await importOsv(api.database, [record('1:9.2p1-2', 1)]);
  const host = await reportingHost(api, 'alpha', opensshHost('1:9.2p1-1'));
  const { pool } = api.database.db;
  await pool.query(
    `WITH made AS (INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
       SELECT gen_random_uuid(), 'manual', 'approved', 'host ' || n, 'host' FROM generate_series(1, 100) n RETURNING id),
     seen AS (INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds, last_confirmed_at)
       SELECT id, now(), 3600, now() FROM made)
     INSERT INTO host_state (host_id, set_id, release_id, sequence, first_snapshot_at)
     SELECT made.id, set_id, release_id, 1, first_snapshot_at FROM made, host_state WHERE host_id = $1`,
    [host.id],
  );
  expect(await read()).toMatchObject({ hosts: 101, uncounted_hosts: 101 });
  const walks = createExposureWalkStore(api.database.as('advisory-worker'));
  expect(await walks.walk(new AbortController().signal)).toBe(101);
  const answer = await read();
  expect(answer).toMatchObject({ hosts: 101, uncounted_hosts: 0 });
  expect(answer.by_severity.important?.open).toBe(101);
});

it.each([
  'from=2026-02-01T00:00:00Z&to=2026-01-01T00:00:00Z',
  'from=2020-01-01T00:00:00Z&to=2023-01-01T00:00:00Z',
  'from=9000-01-01T00:00:00Z',
  'from=yesterday',
  'severity=none',
  'tag=',
])('refuses %s', async (query) => {
  expect((await api.admin.get(`/api/v1/fleet/time-to-patch?${query}`)).status).toBe(422);
});

it('is for users only, and empty without hosts', async () => {
  expect((await api.get('/api/v1/fleet/time-to-patch')).status).toBe(401);
  const answer = await read();
  expect(answer).toMatchObject({ hosts: 0, silent_hosts: 0, history_from: null });
  expect(answer.by_severity.critical).toMatchObject({
    closed: 0,
    median_hours: null,
    within: { '14': null },
  });
});
