import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createDuePreviewStore,
  createHostCounter,
  createRecountStore,
  recountChangedHosts,
} from '@plimsoll/db';
import { apiPerFile, type EnrolledHost } from './api-under-test.ts';
import { debianPackage, debianRecord, reportAgain, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { stateDifferences } from './state-differences.ts';

const api = apiPerFile();
const counter = createHostCounter();
const dayMs = 24 * 3_600_000;
const now = Date.now();
const agoIso = (ms: number) => new Date(now - ms).toISOString();

beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord('DSA-1-1', 'openssh', {
      fixed: '1:9.2p1-3',
      published: agoIso(10 * dayMs),
      cves: ['CVE-2026-0001'],
    }),
    debianRecord('DEBIAN-CVE-2026-0001', 'openssh', {
      fixed: '1:9.2p1-3',
      urgency: 'high',
      published: agoIso(400 * dayMs),
      cves: ['CVE-2026-0001'],
    }),
    debianRecord('DEBIAN-CVE-2026-0002', 'curl', {
      fixed: '7.88-2',
      urgency: 'low',
      published: agoIso(5 * dayMs),
      cves: ['CVE-2026-0002'],
    }),
    debianRecord('DEBIAN-CVE-2026-0003', 'nano', { published: agoIso(5 * dayMs), cves: ['CVE-2026-0003'] }),
  ]);
});

const packages = [
  debianPackage('openssh', '1:9.2p1-2'),
  debianPackage('curl', '7.88-1'),
  debianPackage('nano', '7.2-1'),
] as never;

const recount = () => recountChangedHosts(api.database.as('advisory-worker'), { counter });

async function setPolicy(json: object): Promise<void> {
  const { status } = await api.admin.put('/api/v1/policies/due-dates', { json });
  expect(status).toBe(200);
  await recount();
}

async function hostOf({ id }: EnrolledHost) {
  const { body } = await api.admin.get(`/api/v1/hosts/${id}`);
  return { due_at: body.due_at, overdue_count: body.overdue_count };
}

async function findingsOf({ id }: EnrolledHost) {
  const { body } = await api.admin.get(`/api/v1/hosts/${id}/packages/vulnerable?include_unfixed=true`);
  return new Map<
    string,
    {
      name: string;
      due_at: string | null;
      advisories: { due: { undated: string; at: string; assumptions: string[] } | null }[];
    }
  >(body.map((row: { name: string }) => [row.name, row]));
}

const differences = async () =>
  (await stateDifferences(api.database.as('cli'))).filter(({ what }) => what === 'counts');

it('has no due dates until a policy is set, and none when it is removed', async () => {
  const host = await reportingHost(api, 'alpha', { packages });
  expect(await hostOf(host)).toEqual({ due_at: null, overdue_count: 0 });
  expect((await findingsOf(host)).get('openssh')?.advisories[0]?.due).toBeNull();
  await setPolicy({ preset: 'by-severity' });
  expect(await hostOf(host)).not.toEqual({ due_at: null, overdue_count: 0 });
  await setPolicy({ rules: [] });
  expect(await hostOf(host)).toEqual({ due_at: null, overdue_count: 0 });
});

it('counts from the erratum that published the fix, and not from the record of the CVE', async () => {
  const host = await reportingHost(api, 'bravo', { packages });
  await setPolicy({ rules: [{ days: 7, clock: 'published' }] });
  const rows = await findingsOf(host);
  expect(rows.get('openssh')?.advisories[0]?.due).toEqual({
    at: agoIso(3 * dayMs),
    undated: null,
    rule: 1,
    days: 7,
    clock: 'published',
    started_at: agoIso(10 * dayMs),
    forensics: false,
    cve: 'CVE-2026-0001',
    assumptions: [],
  });
  expect(rows.get('curl')?.advisories[0]?.due).toMatchObject({
    at: agoIso(-2 * dayMs),
    assumptions: ['fix_date_unknown'],
  });
  expect(rows.get('nano')).toMatchObject({ due_at: null, advisories: [{ due: { undated: 'no_fix' } }] });
  expect(await hostOf(host)).toEqual({ due_at: agoIso(3 * dayMs), overdue_count: 1 });
  const { body } = await api.admin.get('/api/v1/hosts?overdue=true&sort=due_at');
  expect(body.map(({ id }: { id: string }) => id)).toContain(host.id);
  expect(await differences()).toEqual([]);
});

it('counts by exposure and tags, again when they change', async () => {
  const host = await reportingHost(api, 'charlie', { packages });
  const bound = { days: 100, clock: 'published' };
  await setPolicy({
    rules: [
      { ...bound, tags: ['calm'] },
      { ...bound, days: 1, exposure: 'public' },
    ],
  });
  expect((await hostOf(host)).overdue_count).toBe(2);
  await api.admin.patch(`/api/v1/hosts/${host.id}`, { json: { exposure: 'internal' } });
  expect(await recount()).toBe(1);
  expect(await hostOf(host)).toEqual({ due_at: null, overdue_count: 0 });
  await api.admin.patch(`/api/v1/hosts/${host.id}`, { json: { tags: ['calm'] } });
  await recount();
  expect(await hostOf(host)).toEqual({ due_at: agoIso(-90 * dayMs), overdue_count: 0 });
  await api.admin.put('/api/v1/policies/exposure', {
    json: { rules: [{ tag: 'calm', exposure: 'public' }] },
  });
  await api.admin.patch(`/api/v1/hosts/${host.id}`, { json: { exposure: null, tags: ['calm', 'x'] } });
  await recount();
  expect((await api.admin.get(`/api/v1/hosts/${host.id}`)).body.exposure).toBe('public');
  expect(await differences()).toEqual([]);
});

it('counts from when the host got the version by the clock `installed`', async () => {
  const host = await reportingHost(api, 'delta', { packages });
  await setPolicy({ rules: [{ days: 3, clock: 'installed', severity: 'low' }] });
  const { rows } = await api.database.db.pool.query<{ at: Date }>(
    'SELECT first_snapshot_at AS at FROM host_state WHERE host_id = $1',
    [host.id],
  );
  const first = rows[0]?.at.getTime() ?? 0;
  expect(await hostOf(host)).toEqual({ due_at: new Date(first + 3 * dayMs).toISOString(), overdue_count: 0 });
  await reportAgain(api, host, 'delta', {
    packages: [debianPackage('curl', '7.87-1'), debianPackage('nano', '7.2-1')] as never,
  });
  const changed = await api.database.db.pool.query<{ at: Date }>(
    `SELECT at FROM package_changes WHERE host_id = $1 AND 'curl' = ANY(names)`,
    [host.id],
  );
  const due = (changed.rows[0]?.at.getTime() ?? 0) + 3 * dayMs;
  expect((await hostOf(host)).due_at).toBe(new Date(due).toISOString());
  expect(await differences()).toEqual([]);
});

it('is previewed by counting: what would become overdue and what would no longer be', async () => {
  await setPolicy({ rules: [{ days: 7, clock: 'published' }] });
  const ask = async (json: object) =>
    (await api.admin.post('/api/v1/policies/due-dates/preview', { json })).body;
  const same = await ask({ rules: [{ days: 7, clock: 'published' }] });
  expect(same).toMatchObject({
    estimated: false,
    hosts: { become: 0, stop: 0 },
    findings: { become: 0, stop: 0 },
  });
  expect(same.compared).toBe(same.fleet);
  expect(same.findings.now).toBeGreaterThan(0);
  const wanted = { rules: [{ days: 2, clock: 'published', severity: 'low' }] };
  const asked = await ask(wanted);
  await setPolicy(wanted);
  const { body } = await api.admin.get('/api/v1/fleet/summary');
  expect([asked.hosts.after, asked.findings.after]).toEqual([body.overdue.hosts, body.overdue.findings]);
  expect(asked.findings.now - asked.findings.stop + asked.findings.become).toBe(asked.findings.after);
  expect([asked.findings.become > 0, asked.findings.stop > 0]).toEqual([true, true]);
  expect(await ask({ rules: [] })).toMatchObject({ findings: { after: 0 } });
  const sampled = await createDuePreviewStore(api.database.as('api'), 1).preview({ preset: null, rules: [] });
  expect([sampled.compared, sampled.fleet]).toEqual([1, same.fleet]);
});

it('counts a host again at its own next due date', async () => {
  const host = await reportingHost(api, 'echo', { packages });
  await setPolicy({ rules: [{ days: 7, clock: 'published' }] });
  await setPolicy({ rules: [{ days: 8, clock: 'published' }] });
  expect((await hostOf(host)).overdue_count).toBe(1);
  const scheduler = createRecountStore(api.database.as('scheduler'));
  expect(await scheduler.noteDueHosts()).toBe(0);
  // The record of curl becomes older, so that its due date comes; the stored time says so.
  await api.database.db.pool.query(
    `UPDATE advisories SET published_at = now() - interval '8 days' WHERE external_id = 'DEBIAN-CVE-2026-0002'`,
  );
  await api.database.db.pool.query(
    "UPDATE host_state SET next_due_at = now() - interval '1 second' WHERE host_id = $1",
    [host.id],
  );
  expect(await scheduler.noteDueHosts()).toBe(1);
  expect(await scheduler.noteDueHosts()).toBe(0);
  await recountChangedHosts(api.database.as('advisory-worker'), { counter: createHostCounter() });
  expect((await hostOf(host)).overdue_count).toBe(2);
});

const ageKev = (at: string) =>
  api.database.db.pool.query(`UPDATE feeds SET updated_at = ${at} WHERE id = 'cisa-kev'`);

/** A record of CISA's Vulnrichment. */
function decision(cve: string, exploitation: 'none' | 'active') {
  const options = [{ Exploitation: exploitation }, { Automatable: 'no' }, { 'Technical Impact': 'partial' }];
  const content = { id: cve, options, timestamp: agoIso(dayMs) };
  const providerMetadata = { orgId: '134c704f-9b21-4f2e-91b3-4a467353bcc0' };
  const metrics = [{ other: { type: 'ssvc', content } }];
  return { cveMetadata: { cveId: cve }, containers: { adp: [{ providerMetadata, metrics }] } };
}

it('follows CISA: a CVE that its decision calls actively exploited is due by a rule that asks for it', async () => {
  const host = await reportingHost(api, 'golf', { packages });
  const rules = [
    { exploitation: 'active', days: 2, clock: 'detected', forensics: true },
    { days: 60, clock: 'detected' },
  ];
  await setPolicy({ rules });
  const dueOf = async () => (await findingsOf(host)).get('nano')?.advisories[0]?.due;
  expect(await dueOf()).toMatchObject({ rule: 2, assumptions: ['exploitation_unknown', 'ssvc_unknown'] });
  const selected = { hosts: [host.id] };
  const saved = await api.admin.post('/api/v1/saved-plans', { json: { name: 'before', ...selected } });
  const firstOf = async () => {
    const one = await api.admin.get(`/api/v1/hosts/${host.id}/plan`);
    const several = await api.admin.post('/api/v1/plans', { json: selected });
    const { body } = await api.admin.get(`/api/v1/saved-plans/${saved.body.id}`);
    return [one.body, several.body.hosts[0], body.plan.hosts[0]].map((plan) => plan.forensics_first);
  };
  expect(await firstOf()).toEqual([[], [], []]);
  await ageKev('now()');
  expect((await doubts()).slice(0, 2)).toEqual([true, true]);
  await importOsv(api.database, [decision('CVE-2026-0003', 'active')], 'cisa-ssvc', counter);
  await recount();
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  expect(await dueOf()).toMatchObject({
    at: new Date(today + 2 * dayMs).toISOString(),
    started_at: new Date(today).toISOString(),
    rule: 1,
    clock: 'detected',
    forensics: true,
    assumptions: [],
  });
  // Also in the plan that was saved before.
  expect(await firstOf()).toEqual(Array(3).fill(['DEBIAN-CVE-2026-0003']));
  const { body } = await api.admin.get('/api/v1/findings?group_by=package&q=nano');
  expect(body[0].due_at).toBe(new Date(today + 2 * dayMs).toISOString());
  expect((await doubts()).slice(0, 2)).toEqual([false, false]);
  // A host with the same content that has reported three days longer.
  const older = await reportingHost(api, 'hotel', { packages });
  await api.database.db.pool.query(
    `UPDATE host_state SET first_snapshot_at = first_snapshot_at - interval '3 days' WHERE host_id = $1`,
    [older.id],
  );
  await setPolicy({ rules });
  const ofOlder = new Date(today - dayMs).toISOString();
  expect([await hostOf(older), await hostOf(host)]).toMatchObject([
    { due_at: ofOlder, overdue_count: 1 },
    { due_at: new Date(today + 2 * dayMs).toISOString(), overdue_count: 0 },
  ]);
  const rows = await api.admin.get('/api/v1/findings?group_by=host&q=nano');
  const dues = new Map(rows.body.map((row: { key: string; due_at: string }) => [row.key, row.due_at]));
  expect([dues.get(older.id), dues.get(host.id)]).toEqual([
    ofOlder,
    new Date(today + 2 * dayMs).toISOString(),
  ]);
  expect(await differences()).toEqual([]);
  await ageKev('NULL');
});

it('follows CISA: a CVE that enters KEV is due by the day of its entry', async () => {
  const host = await reportingHost(api, 'foxtrot', { packages });
  await importOsv(api.database, [decision('CVE-2026-0003', 'none')], 'cisa-ssvc', counter);
  await setPolicy({ preset: 'cisa-bod-26-04' });
  const before = (await findingsOf(host)).get('nano');
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  expect(before?.due_at).toBe(new Date(today + 60 * dayMs).toISOString());
  // The catalog was never synced.
  expect(before?.advisories[0]?.due?.assumptions).toContain('exploitation_unknown');
  expect(await doubts()).toEqual([true, true, true, 'never_synced']);
  expect(await tables()).toEqual([true, true, 'never_synced', 'never_synced']);
  expect(new Set(await overdueCells())).toEqual(new Set(['']));
  const day = agoIso(2 * dayMs).slice(0, 10);
  await importOsv(api.database, [{ cveID: 'CVE-2026-0003', dateAdded: day }], 'cisa-kev', counter);
  await recount();
  const row = (await findingsOf(host)).get('nano');
  expect(row?.due_at).toBe(new Date(Date.parse(day) + 14 * dayMs).toISOString());
  expect(row?.advisories[0]?.due).toMatchObject({
    clock: 'detected',
    started_at: new Date(day).toISOString(),
    assumptions: ['exposure_unknown'],
  });
  const others = [...(await findingsOf(host)).values()].filter(({ name }) => name !== 'nano');
  expect(others.flatMap(({ advisories }) => advisories[0]?.due?.assumptions ?? [])).not.toContain(
    'exploitation_unknown',
  );
  expect(others.length).toBeGreaterThan(0);
  expect(await differences()).toEqual([]);
  expect(await doubts()).toEqual([false, false, false, 'current']);
  expect(await tables()).toEqual([false, false, 'current', 'current']);
  expect(await overdueCells()).not.toContain('');
  await ageKev(`now() - interval '90 days'`);
  expect(await doubts()).toEqual([true, true, true, 'outdated']);
  expect(await tables()).toEqual([true, true, 'outdated', 'outdated']);
  // No rule of it asks.
  await setPolicy({ preset: 'by-severity' });
  expect(await doubts()).toEqual([false, false, false, 'outdated']);
  expect(await tables()).toEqual([false, false, 'outdated', 'outdated']);
  const wanted = await preview({ preset: 'cisa-bod-26-04' });
  expect(wanted.exploitation_unknown).toBe(true);
});

it('has the hosts counted again by a version with other rules of the preset in force', async () => {
  const script = 'prisma/migrations/20261129020000_recount_due_preset/migration.sql';
  const { pool } = api.database.db;
  const waiting = async () => {
    await recount();
    await pool.query(readFileSync(join(__dirname, '../../..', script), 'utf8'));
    return recount();
  };
  await setPolicy({ preset: 'by-severity' });
  expect(await waiting()).toBe(0);
  await setPolicy({ preset: 'cisa-bod-26-04' });
  expect(await waiting()).toBeGreaterThan(1);
});

/** Whether more may be due than is said: by the policy, the fleet and a preview of the same policy; and the state of CISA KEV. */
async function doubts() {
  const read = (path: string) => api.admin.get(`/api/v1${path}`);
  const { body: policy } = await read('/policies/due-dates');
  const { body: fleet } = await read('/fleet/summary');
  const { headers } = await read('/hosts');
  const { preset, rules } = policy;
  const same = await preview(preset === null ? { rules } : { preset });
  return [
    policy.exploitation_unknown,
    fleet.overdue.exploitation_unknown,
    same.exploitation_unknown,
    headers['plimsoll-exploited-data'],
  ];
}

/** Whether the tables of findings are named incomplete, and the state of CISA KEV beside two tables. */
async function tables() {
  const paths = ['/findings.csv?overdue=true', '/findings.csv', '/hosts.csv'];
  const answers = await Promise.all(paths.map((path) => api.admin.get(`/api/v1${path}`)));
  // That of hosts is, because of what else is not known of these.
  const isIncomplete = answers
    .slice(0, 2)
    .map(({ headers }) => headers['content-disposition']?.includes('-incomplete'));
  const [, findings, hosts] = answers.map(({ headers }) => headers['plimsoll-exploited-data']);
  return [...isIncomplete, findings, hosts];
}

/** The numbers of hosts on which packages are overdue, as in the table. */
async function overdueCells() {
  const { text } = await api.admin.get('/api/v1/findings.csv?group_by=package');
  const [head = [], ...lines] = text
    .trim()
    .split('\r\n')
    .map((line) => line.replaceAll(/["\uFEFF]/g, '').split(','));
  expect(lines.length).toBeGreaterThan(0);
  return lines.map((cells) => cells[head.indexOf('overdue_hosts')]);
}

async function preview(json: object) {
  const { status, body } = await api.admin.post('/api/v1/policies/due-dates/preview', { json });
  expect(status).toBe(200);
  return body;
}

it.each([
  [{}],
  [{ preset: 'none' }],
  [{ preset: 'by-severity', rules: [] }],
  [{ rules: [{ clock: 'published' }] }],
  [{ rules: [{ days: 3, next_upgrade: true, clock: 'published' }] }],
  [{ rules: [{ days: 0, clock: 'published' }] }],
  [{ rules: [{ days: 3, clock: 'kev' }] }],
  [{ rules: [{ days: 3, clock: 'published', exploitation: 'poc' }] }],
  [{ rules: [{ days: 3, clock: 'published', tags: [] }] }],
  [{ rules: [{ days: 3, clock: 'published', severity: 'none' }] }],
])('refuses %j', async (json) => {
  expect((await api.admin.put('/api/v1/policies/due-dates', { json })).status).toBe(422);
});

it('shows limited readers the rules without the tags of others', async () => {
  await setPolicy({ rules: [{ tags: ['web', 'secret'], days: 3, clock: 'published' }] });
  const expires_at = new Date(now + dayMs).toISOString();
  const json = { name: 'web', role: 'viewer', tags: ['web'], expires_at };
  const { body } = await api.admin.post('/api/v1/api-keys', { json });
  const seen = await api.get('/api/v1/policies/due-dates', { token: body.key });
  expect(seen.body).toMatchObject({ preset: null, rules: [{ tags: ['web'], days: 3 }], changed_by: null });
  const put = await api.put('/api/v1/policies/due-dates', { token: body.key, json: { rules: [] } });
  expect(put.status).toBe(403);
});
