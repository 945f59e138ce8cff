import { createHostCounter, recountChangedHosts } from '@plimsoll/db';
import {
  type CountedHost,
  compareFindings,
  compareHostDates,
  createCountReader,
  differing,
} from '@plimsoll/testing';
import { apiPerFile, type EnrolledHost } from './api-under-test.ts';
import { debianPackage, debianRecord, reportAgain, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { addUser } from './users.ts';

const api = apiPerFile();
let reader: string;
let delta: EnrolledHost;
const counter = createHostCounter();
const dayMs = 24 * 3_600_000;
const minuteMs = 60_000;
const now = Date.now();
const agoIso = (days: number) => new Date(now - days * dayMs).toISOString();
/** As `GET /findings` states times: to the minute, rounded up. */
const toMinute = (time: number) => new Date(Math.ceil(time / minuteMs) * minuteMs).toISOString();

const openssh = (id: string, urgency: string, published: number, cves: readonly string[]) =>
  debianRecord(id, 'openssh', { fixed: '1:9.2p1-3', urgency, published: agoIso(published), cves });

beforeAll(async () => {
  await importOsv(api.database, [
    openssh('DEBIAN-CVE-2026-0001', 'high', 50, ['CVE-2026-0001']),
    openssh('DEBIAN-CVE-2026-0002', 'low', 20, ['CVE-2026-0002']),
    openssh('DSA-3-1', 'medium', 10, ['CVE-2026-0003', 'CVE-2026-0004']),
    debianRecord('DEBIAN-CVE-2026-0005', 'openssh', { published: agoIso(9), cves: ['CVE-2026-0005'] }),
    debianRecord('DEBIAN-CVE-2026-0006', 'curl', { fixed: '7.88-2', published: agoIso(5) }),
  ]);
  await importOsv(
    api.database,
    [{ cveID: 'CVE-2026-0004', dateAdded: agoIso(4).slice(0, 10) }],
    'cisa-kev',
    counter,
  );
  const packages = [debianPackage('openssh', '1:9.2p1-2'), debianPackage('curl', '7.88-1')] as never;
  for (const name of ['alpha', 'bravo', 'charlie']) await reportingHost(api, name, { packages });
  delta = await reportingHost(api, 'delta', { packages });
  const { body } = await api.admin.get('/api/v1/hosts');
  const tags: Readonly<Record<string, readonly string[]>> = { bravo: ['slow'], charlie: ['slow', 'extra'] };
  for (const { id, display_name: name } of body)
    if (tags[name] !== undefined)
      await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: tags[name] } });
  reader = (await addUser(api, 'viewer', { tags: ['slow'] })).token;
});

async function setPolicy(json: object): Promise<void> {
  const { status } = await api.admin.put('/api/v1/policies/due-dates', { json });
  expect(status).toBe(200);
  await recountChangedHosts(api.database.as('advisory-worker'), { counter });
}

interface Row {
  readonly key: string;
  readonly due_at: string | null;
  readonly overdue_hosts: number;
}

const rowsOf = async (query: string, token = api.admin.token): Promise<readonly Row[]> =>
  (await api.get(`/api/v1/findings?${query}`, { token })).body;
const dueOf = async (query: string, token = api.admin.token) =>
  Object.fromEntries((await rowsOf(query, token)).map(({ key, due_at }) => [key, due_at]));

const policies = [
  ['a preset', { preset: 'by-severity' }],
  ['CISA', { preset: 'cisa-bod-26-04' }],
  [
    'rules by tags and installation',
    {
      rules: [
        { tags: ['slow'], severity: 'critical', days: 90, clock: 'published' },
        { tags: ['extra'], days: 3, clock: 'installed' },
        { severity: 'important', days: 30, clock: 'published' },
        { severity: 'low', days: 6, clock: 'installed' },
        { days: 12, clock: 'published' },
      ],
    },
  ],
] as const;

describe.each(policies)('under %s, findings', (_name, policy) => {
  beforeAll(async () => {
    await setPolicy(policy);
    // It got curl later than the rest.
    await reportAgain(api, delta, 'delta', {
      packages: [
        debianPackage('openssh', '1:9.2p1-2'),
        debianPackage('curl', `7.8${policies.findIndex(([, each]) => each === policy)}-1`),
      ] as never,
    });
  });

  it.each(['the admin', 'a limited reader'])(
    'are found, counted and due as the lists of hosts say, for %s',
    async (who) => {
      const source = createCountReader(api.url, who === 'the admin' ? api.admin.token : reader);
      const hosts = await source.body<readonly CountedHost[]>('/hosts?approval_status=approved');
      const all = { rows: null, hosts: null };
      const rows = await differing(compareFindings(source, all));
      expect(rows.different).toEqual([]);
      expect(rows.all.some(({ what, counted }) => what.endsWith('overdue hosts') && counted > 0)).toBe(true);
      expect((await differing(compareHostDates(source, hosts, all))).different).toEqual([]);
    },
  );

  it('are ordered by their own dates', async () => {
    for (const grouping of ['advisory', 'cve', 'package', 'host']) {
      const rows = await rowsOf(`group_by=${grouping}`);
      const times = rows.map(({ due_at }) => Date.parse(due_at ?? '9999-01-01'));
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });
});

it('gives each CVE of an advisory its own due date', async () => {
  await setPolicy({ preset: 'cisa-bod-26-04' });
  const dates = await dueOf('group_by=cve');
  const entered = Date.parse(agoIso(4).slice(0, 10));
  expect(dates).toMatchObject({ 'CVE-2026-0004': toMinute(entered + 3 * dayMs) });
  // Impact total and not automatable, as far as is known: 14 days after the day of the first report.
  expect(dates).toMatchObject({ 'CVE-2026-0003': toMinute(now - (now % dayMs) + 14 * dayMs) });
  expect(await dueOf('cve=CVE-2026-0003')).toEqual({ 'DSA-3-1': dates['CVE-2026-0003'] });
  expect(await dueOf('')).toMatchObject({ 'DSA-3-1': dates['CVE-2026-0004'] });
});

it('has no due date for what is waived, and none without a policy', async () => {
  const expires_at = new Date(now + dayMs).toISOString();
  const json = { kind: 'risk_accepted', advisories: ['DEBIAN-CVE-2026-0001'], all_hosts: true, reason: 'x' };
  const { status } = await api.admin.post('/api/v1/waivers', { json: { ...json, expires_at } });
  expect(status).toBe(201);
  await setPolicy({ preset: 'by-severity' });
  const dates = await dueOf('include_waived=true');
  expect(dates['DEBIAN-CVE-2026-0001']).toBeNull();
  expect(dates['DEBIAN-CVE-2026-0002']).toBe(toMinute(now - 20 * dayMs + 180 * dayMs));
  await setPolicy({ rules: [] });
  expect(new Set(Object.values(await dueOf('include_waived=true')))).toEqual(new Set([null]));
});
