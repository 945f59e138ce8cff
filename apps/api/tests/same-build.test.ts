import type { ExposureAnswer, HostChanges, VulnerablePackage } from '@plimsoll/contract';
import {
  createHostCounter,
  createInterner,
  createPatchRhythmStore,
  recountChangedHosts,
  withFeedImport,
} from '@plimsoll/db';
import { ageHistory } from '@plimsoll/testing';
import { rpmPlatform, sendSnapshot } from './agent-uploads.ts';
import { apiPerTest, type EnrolledHost, enrol } from './api-under-test.ts';
import { importOsv } from './pipeline.ts';
import { stateDifferences } from './state-differences.ts';

const dayMs = 24 * 3_600_000;
const api = apiPerTest();
let host: EnrolledHost;
beforeEach(async () => {
  host = await enrol(api, { hostname: 'red.example.org', autoApprove: true });
  await follow({ 'main-rpms': 'enterprise_linux:9::baseos', 'eus-rpms': 'rhel_eus:9.4::baseos' });
  await importOsv(api.database, [
    erratum('RHSA-2026:9101', 'enterprise_linux:9::baseos', '1:3.0.7-30.el9_5'),
    erratum('RHSA-2026:9102', 'rhel_eus:9.4::baseos', '1:3.0.7-25.el9_4.1'),
  ]);
});

const erratum = (id: string, products: string, fixed: string) => ({
  schema_version: '1.7.0',
  id,
  modified: '2026-05-02T00:00:00Z',
  published: '2026-05-01T00:00:00Z',
  upstream: ['CVE-2026-9801'],
  summary: 'Red Hat Security Advisory: openssl security update',
  severity: [{ type: 'CVSS_V3', score: 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H' }],
  affected: [
    {
      package: { ecosystem: `Red Hat:${products}`, name: 'openssl-libs' },
      ranges: [{ type: 'ECOSYSTEM', events: [{ introduced: '0' }, { fixed }] }],
    },
  ],
});

/** States the products of repositories. */
async function follow(products: Readonly<Record<string, string>>): Promise<void> {
  const { db } = api.database;
  await withFeedImport({ db, interner: createInterner(db) }, async (session) => {
    for (const [repository, product] of Object.entries(products)) {
      const item = { repository, products: [product] };
      await session.stage('repositories', [{ feedId: 'redhat-repository-to-cpe', item, place: '' }], {
        mayGoBack: true,
      });
    }
    const end = { importId: null, recordsRead: 2, recordsRejected: 0, errors: [], sync: null };
    await session.finish({ ...end, completeFeeds: [], feeds: new Map() }, createHostCounter());
  });
}

/** Sends a report, and lets days pass. */
async function report(
  repository: string,
  days: number,
  { version = '3.0.7-24.el9', vendor = 'Red Hat, Inc.' } = {},
): Promise<void> {
  const sources = { sourceName: 'openssl', sourceVersion: version };
  await sendSnapshot(api, host, {
    platform: rpmPlatform('rhel', '9.4', 'red.example.org'),
    packages: [{ name: 'openssl-libs', architecture: 'x86_64', version: `1:${version}`, ...sources, vendor }],
    packageCount: 1,
    repositories: [{ id: repository, url: '', enabled: true, suite: '', origin: '' }],
  });
  await ageHistory(api.database.db.pool, days);
}

const get = async (path: string) => (await api.admin.get(`/api/v1${path}`)).body;
const daysAgo = (time: string | null) =>
  time === null ? null : Math.floor((Date.now() - new Date(time).getTime()) / dayMs);

async function exposures() {
  const all: readonly ExposureAnswer[] = await get(`/hosts/${host.id}/exposures`);
  return all.map(({ advisory_id, from, from_cause, until, until_cause, installed_at, running_at }) => [
    advisory_id,
    daysAgo(from),
    from_cause,
    daysAgo(until),
    until_cause,
    daysAgo(installed_at),
    running_at,
  ]);
}

async function times() {
  const since = new Date(Date.now() - 100 * dayMs).toISOString();
  const { by_severity } = await get(`/fleet/time-to-patch?from=${since}`);
  const { closed, open, median_hours, ended_otherwise } = by_severity.critical;
  const otherwise = Object.entries(ended_otherwise).filter(([, count]) => count !== 0);
  return { closed, open, median_hours, ended_otherwise: Object.fromEntries(otherwise) };
}

async function changesBetween(from: number, to: number): Promise<HostChanges> {
  const at = (days: number) => encodeURIComponent(new Date(Date.now() - days * dayMs).toISOString());
  return get(`/hosts/${host.id}/changes?from=${at(from)}&to=${at(to)}`);
}

const openFindings = async () =>
  ((await get(`/hosts/${host.id}/packages/vulnerable`)) as readonly VulnerablePackage[]).map(
    ({ advisories, first_seen_at }) => [...advisories.map(({ id }) => id), daysAgo(first_seen_at)],
  );
/** What is stored otherwise than it is computed. The payloads are not decoded here. */
const differences = async () =>
  (await stateDifferences(api.database.as('cli'))).filter(({ what }) => what !== 'payload');

it('a host that follows another line keeps its build: the exposure goes on by the errata of that line', async () => {
  await report('main-rpms', 4);
  await report('eus-rpms', 3);
  await report('main-rpms', 2);
  expect(await openFindings()).toEqual([['RHSA-2026:9101', 9]]);
  expect(await exposures()).toEqual([
    ['RHSA-2026:9101', 2, 'source_changed', null, null, null, null],
    ['RHSA-2026:9102', 5, 'source_changed', 2, 'source_changed', null, null],
    ['RHSA-2026:9101', 9, 'first_snapshot', 5, 'source_changed', null, null],
  ]);
  expect(await times()).toEqual({ closed: 0, open: 1, median_hours: null, ended_otherwise: {} });
  const ofCve: readonly ExposureAnswer[] = await get('/cves/CVE-2026-9801/exposures');
  expect(
    ofCve.map(({ from_cause, until_cause, installed_at }) => [from_cause, until_cause, installed_at]),
  ).toEqual([
    ['source_changed', null, null],
    ['source_changed', 'source_changed', null],
    ['first_snapshot', 'source_changed', null],
  ]);
  const changes = await changesBetween(8, 4);
  expect(changes.packages).toEqual([]);
  expect([...changes.closed, ...changes.opened].flatMap(({ advisories }) => advisories)).toMatchObject([
    { id: 'RHSA-2026:9101', cause: 'source_changed' },
    { id: 'RHSA-2026:9102', cause: 'source_changed' },
  ]);
  await report('main-rpms', 1, { version: '3.0.7-30.el9_5' });
  expect((await exposures())[0]).toEqual([
    'RHSA-2026:9101',
    3,
    'source_changed',
    1,
    'package_changed',
    1,
    null,
  ]);
  expect(await times()).toEqual({ closed: 1, open: 0, median_hours: 9 * 24 + 1, ended_otherwise: {} });
  expect(await differences()).toEqual([]);
});

it('a build whose verdict becomes unknown is not patched, and its time goes on when it is known again', async () => {
  await report('main-rpms', 4);
  await report('main-rpms', 3, { vendor: 'Someone else' });
  expect(await exposures()).toEqual([
    ['RHSA-2026:9101', 7, 'first_snapshot', 3, 'rules_changed', null, null],
  ]);
  expect(await times()).toEqual({
    closed: 0,
    open: 0,
    median_hours: null,
    ended_otherwise: { rules_changed: 1 },
  });
  await report('main-rpms', 2);
  expect(await openFindings()).toEqual([['RHSA-2026:9101', 9]]);
  const changes = await changesBetween(8, 4);
  expect(changes.packages).toEqual([]);
  expect(changes.closed.flatMap(({ advisories }) => advisories.map(({ cause }) => cause))).toEqual([
    'rules_changed',
  ]);
  await report('main-rpms', 1, { version: '3.0.7-30.el9_5' });
  expect(await times()).toEqual({
    closed: 1,
    open: 0,
    median_hours: 9 * 24 + 1,
    ended_otherwise: { rules_changed: 1 },
  });
  expect(await differences()).toEqual([]);
});

it('has the build since it was installed: due dates go on, and nothing counts as an update', async () => {
  const json = { rules: [{ days: 8, clock: 'installed' }] };
  expect((await api.admin.put('/api/v1/policies/due-dates', { json })).status).toBe(200);
  await report('main-rpms', 5);
  await report('eus-rpms', 4);
  await report('main-rpms', 0);
  await recountChangedHosts(api.database.as('advisory-worker'), { counter: createHostCounter() });
  const { due_at, overdue_count } = await get(`/hosts/${host.id}`);
  expect([daysAgo(due_at), overdue_count]).toEqual([1, 1]);
  const [row] = await get(`/hosts/${host.id}/packages/vulnerable`);
  expect(daysAgo(row.due_at)).toBe(1);
  await createPatchRhythmStore(api.database.as('scheduler')).learnDue(10);
  expect((await createPatchRhythmStore(api.database.as('api')).ofHost(host.id)).rounds).toBe(0);
  await report('eus-rpms', 0, { version: '3.0.7-23.el9' });
  expect(daysAgo((await get(`/hosts/${host.id}`)).due_at)).toBe(-8);
  expect(await differences()).toEqual([]);
});
