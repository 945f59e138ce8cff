import type { VulnerablePackage } from '@plimsoll/contract';
import { ageHistory } from '@plimsoll/testing';
import { sendSnapshot } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { critical, debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const curlCve = 'DEBIAN-CVE-2024-0001';
const zlibCve = 'DEBIAN-CVE-2024-0002';
const bullseyeCve = 'DEBIAN-CVE-2024-0003';

const api = apiPerFile();
let host: EnrolledHost;
let bullseye: EnrolledHost;
let started: number;

/** What the tests call a day ago is counted from the end of the setup. */
const daysAgo = (days: number) => new Date(started - days * 86_400_000).toISOString();

async function findings(of: EnrolledHost, query: string) {
  const answer = await api.admin.get(
    `/api/v1/hosts/${of.id}/packages/vulnerable?include_unfixed=true${query}`,
  );
  expect(answer.status).toBe(200);
  const rows = answer.body as readonly VulnerablePackage[];
  const gaps = (answer.headers['plimsoll-gaps'] ?? '').split(', ');
  const texts = rows.map(
    ({ name, installed_version, severity, fixed_version }) =>
      `${name} ${installed_version} ${severity} ${fixed_version}`,
  );
  return { rows, gaps, texts };
}

const seenDaysAgo = ({ first_seen_at }: VulnerablePackage) =>
  Math.round((started - Date.parse(first_seen_at)) / 86_400_000);

beforeAll(async () => {
  await importOsv(api.database, [debianRecord(curlCve, 'curl', { fixed: '5', urgency: 'medium' })]);
  const packages = [debianPackage('curl', '1'), debianPackage('zlib', '1')];
  host = await reportingHost(api, 'bookworm', { packages });
  bullseye = await reportingHost(api, 'bullseye', { packages, release: '11' });
  await ageHistory(api.database.db.pool, 4);
  const edited = debianRecord(curlCve, 'curl', { fixed: '7', cvss: critical });
  const later = debianRecord(zlibCve, 'zlib', { fixed: '3', urgency: 'low' });
  await importOsv(api.database, [edited, later]);
  await api.database.db.pool.query(
    `INSERT INTO cves (id, epss, exploited_since, exploited_known_at) VALUES ('CVE-2024-0001', 0.5, '2024-01-01', now())`,
  );
  await ageHistory(api.database.db.pool, 4);
  await sendSnapshot(api, host, {
    packages: [debianPackage('curl', '6'), debianPackage('zlib', '1')],
    packageCount: 2,
    failures: [{ section: 'upgradable', detail: 'apt is locked' }],
  });
  await importOsv(api.database, [
    edited,
    later,
    debianRecord(bullseyeCve, 'curl', { fixed: '2', release: '11', urgency: 'high' }),
  ]);
  await ageHistory(api.database.db.pool, 2);
  started = Date.now();
});

it('shows the findings of a past time by the statements of that time', async () => {
  const first = await findings(host, `&at=${daysAgo(9)}`);
  expect(first.texts).toEqual(['curl 1 moderate 5']);
  expect(first.rows[0]?.advisories[0]).toMatchObject({
    id: curlCve,
    fixed_version: '5',
    severity: 'moderate',
  });
  expect((await findings(host, `&at=${daysAgo(9)}&known=then`)).texts).toEqual(first.texts);
  expect((await findings(host, `&at=${daysAgo(5)}`)).texts).toEqual(['curl 1 critical 7', 'zlib 1 low 3']);
  expect((await findings(host, `&at=${daysAgo(1)}`)).texts).toEqual(['curl 6 critical 7', 'zlib 1 low 3']);
  expect((await findings(host, '')).texts).toEqual(['curl 6 critical 7', 'zlib 1 low 3']);
});

it('shows the packages of a past time by what is known now', async () => {
  expect((await findings(host, `&at=${daysAgo(9)}&known=now`)).texts).toEqual([
    'curl 1 critical 7',
    'zlib 1 low 3',
  ]);
});

it('states when a finding was first seen and what was known of its CVEs, as of that time', async () => {
  const exploitation = ({ rows }: { readonly rows: readonly VulnerablePackage[] }) =>
    rows[0]?.advisories[0]?.cves.map(({ epss, known_exploited }) => [epss, known_exploited]);
  const first = await findings(host, `&at=${daysAgo(9)}`);
  expect(first.rows.map(seenDaysAgo)).toEqual([10]);
  expect(exploitation(first)).toEqual([[null, false]]);
  const second = await findings(host, `&at=${daysAgo(5)}`);
  expect(second.rows.map(seenDaysAgo)).toEqual([10, 6]);
  expect(exploitation(second)).toEqual([[null, true]]);
  const now = await findings(host, '');
  expect(now.rows.map(seenDaysAgo)).toEqual([10, 6]);
  expect(exploitation(now)).toEqual([[0.5, true]]);
});

it('names the feed as it was', async () => {
  const [row] = (await findings(host, `&at=${daysAgo(9)}`)).rows;
  expect(row?.evidence.feed).toBe('debian-osv');
  const age = started - Date.parse(row?.evidence.feed_updated_at ?? '');
  expect(Math.round(age / 86_400_000)).toBe(10);
});

it('says what was not known at that time', async () => {
  const fresh = (await findings(host, `&at=${daysAgo(9.9)}`)).gaps;
  expect(fresh).toContain('repositories_unknown');
  expect(fresh).not.toContain('report_outdated');
  expect(fresh).not.toContain('feed_outdated');
  expect(fresh).not.toContain('no_feed');
  expect((await findings(host, `&at=${daysAgo(8)}`)).gaps).toContain('report_outdated');
  expect((await findings(host, `&at=${daysAgo(6.5)}`)).gaps).toContain('feed_outdated');
  expect((await findings(host, `&at=${daysAgo(5.9)}`)).gaps).not.toContain('feed_outdated');
});

it('says which sections the report of that time lacked', async () => {
  const failed = (await findings(host, `&at=${daysAgo(1.9)}`)).gaps;
  expect(failed).toContain('package_lists_unknown');
  expect(failed).not.toContain('report_outdated');
});

it('says that package lists were outdated when the host reported', async () => {
  const gapsWithListsOf = async (age: string) => {
    await api.database.db.pool.query(
      'UPDATE snapshots SET lists_at = coalesce(reported_at, received_at) - $2::interval WHERE host_id = $1',
      [bullseye.id, age],
    );
    return (await findings(bullseye, `&at=${daysAgo(9)}`)).gaps;
  };
  expect(await gapsWithListsOf('7 days 1 second')).toContain('package_lists_outdated');
  expect(await gapsWithListsOf('7 days')).not.toContain('package_lists_outdated');
});

it('says that a release had no feed then, instead of no findings', async () => {
  const then = await findings(bullseye, `&at=${daysAgo(9)}`);
  expect(then.texts).toEqual([]);
  expect(then.gaps).toContain('no_feed');
  const now = await findings(bullseye, `&at=${daysAgo(9)}&known=now`);
  expect(now.texts).toEqual(['curl 1 important 2']);
  expect((await findings(bullseye, `&at=${daysAgo(1)}`)).texts).toEqual(['curl 1 important 2']);
});

it('says that a feed was never synced then', async () => {
  await api.database.db.pool.query(
    `UPDATE release_coverage SET updated_at = NULL FROM releases r WHERE r.id = release_id AND r.name = 'debian:11'`,
  );
  const { gaps } = await findings(bullseye, `&at=${daysAgo(5)}`);
  expect(gaps).toContain('feed_never_synced');
});

it.each([
  ['known=now', 422],
  ['known=then', 422],
  ['at=2999-01-01T00:00:00Z', 422],
  ['at=yesterday', 422],
  ['at=2026-01-01T00:00:00Z&known=always', 422],
])('answers ?%s with %d', async (query, status) => {
  const answer = await api.admin.get(`/api/v1/hosts/${host.id}/packages/vulnerable?${query}`);
  expect(answer.status).toBe(status);
});

it('answers no_snapshot before the first report, never an empty list', async () => {
  const path = (id: string) => `/api/v1/hosts/${id}/packages/vulnerable?at=${daysAgo(30)}`;
  const early = await api.admin.get(path(host.id));
  expect([early.status, early.body.code]).toEqual([404, 'no_snapshot']);
  expect(early.body.detail).toContain('No report of this host had arrived');
  const silent = await enrol(api, { hostname: 'silent.example.org' });
  expect((await api.admin.get(path(silent.id))).body.code).toBe('no_snapshot');
});
