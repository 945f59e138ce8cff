import { createEventCollector, createHostCounter, recountChangedHosts } from '@plimsoll/db';
import {
  type CountedHost,
  type CountReader,
  compareBulletin,
  compareCounts,
  comparePlan,
  comparePreviews,
  compareSearches,
  compareVex,
  compareWaivers,
  createCountReader,
  differing,
} from '@plimsoll/testing';
import { errata, uploadAlma } from './alma-hosts.ts';
import { apiPerFile, enrol } from './api-under-test.ts';
import {
  critical,
  debianKernel,
  debianOffer,
  debianPackage,
  debianRecord,
  type HostFacts,
  reportingHost,
  runs,
} from './debian-fleet.ts';
import { seededRandom } from './history/seeded-random.ts';
import { addRoute, publishKey } from './notified.ts';
import { importOsv } from './pipeline.ts';
import { protobufTime } from './sample-snapshot.ts';
import { addUser } from './users.ts';

const day = 86_400_000;
const names = ['openssh', 'curl', 'zlib', 'bash', 'nano', 'tar', 'less'];

const { between } = seededRandom(16);
const random = (below: number) => between(0, below - 1);
const some = <Item>(items: readonly Item[], oneIn = 2) => items.filter(() => random(oneIn) === 0);
const published = (daysAgo: number) => new Date(Date.now() - daysAgo * day).toISOString();

/** Two CVEs of each package in two releases, and an erratum that names both. */
const records = names.flatMap((name, at) => {
  const cves = [1, 2].map((n) => `CVE-2026-${n}00${at}`);
  const facts = (n: number) => ({
    cves: [cves[n] ?? ''],
    published: published([3, 20, 100, 400][(at + n) % 4] ?? 0),
    ...((at + n) % 3 !== 0 && { fixed: String(2 + n) }),
    ...(at % 3 === 0
      ? { cvss: critical }
      : { urgency: ['high', 'medium', 'low', 'unimportant'][(at + n) % 4] ?? '' }),
  });
  return [
    debianRecord(`DEBIAN-CVE-2026-100${at}`, name, facts(0)),
    debianRecord(`DEBIAN-CVE-2026-200${at}`, name, { ...facts(1), release: at % 2 === 0 ? '11' : '12' }),
    ...(at < 3 ? [debianRecord(`DSA-600${at}-1`, name, { fixed: '3', cves, published: published(30) })] : []),
  ];
});
records.push(debianRecord('DEBIAN-CVE-2026-9999', 'linux', { fixed: '6.1.123-1', cves: ['CVE-2026-9999'] }));
const kernelFacts = (booted: boolean): HostFacts => ({
  packages: [
    debianKernel('6.1.0-28-amd64', '6.1.119-1'),
    debianKernel('6.1.0-29-amd64', '6.1.123-1'),
  ] as never, // As below.
  ...(booted ? runs('6.1.0-29-amd64', '6.1.123-1') : runs()),
  observed: { bootId: '', bootedAt: protobufTime(new Date(Date.now() - 40 * day)), refreshed: [] },
});

/** Packages of any versions, of which some are offered in a newer one. */
function anyFacts(): HostFacts {
  const packages = some(names, 3).map((name) =>
    debianPackage(name, String(1 + random(3)), { held: random(5) === 0 }),
  );
  const upgradable = some(packages).map(({ name, version }) =>
    debianOffer(name, { isSecurity: random(2) === 0 }, version, String(Number(version) + 1)),
  );
  const upstream = debianPackage('own-build', 'not a version!', { vendor: 'Example' });
  return {
    packages: [...packages, ...some([upstream], 4), debianPackage('base-files', '1')],
    upgradable,
    release: random(4) === 0 ? '11' : '12',
    ...(random(3) === 0 && {
      services: {
        restartRequired: 2,
        toRestart: [{ name: 'ssh.service', reason: '=1+1' }, { name: 'cron.service' }],
      },
    }),
  } as HostFacts; // Its fields have the form of the message's init.
}

const api = apiPerFile();
const post = async (path: string, json: object, token = api.admin.token) => {
  const answer = await api.post(`/api/v1${path}`, { token, json });
  expect([path, answer.status, answer.body.errors]).toEqual([path, expect.any(Number), undefined]);
  return answer.body;
};
const sql = (text: string, values: unknown[] = []) => api.database.db.pool.query(text, values);

async function addHosts(): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const facts = n % 8 === 0 ? kernelFacts(n === 8) : anyFacts();
    const { id } = await reportingHost(api, `host-${n}`, { ...facts, autoApprove: n % 7 !== 6 });
    const tags = [...some(['web', 'db']), ...some(['a, b & c', 'eu'], 4)];
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags } });
    if (n === 12) await post('/hosts/actions', { action: 'retire', hosts: [id] });
    if (n === 11)
      await sql("UPDATE host_contacts SET last_confirmed_at = now() - interval '9 days' WHERE host_id = $1", [
        id,
      ]);
  }
  // Two equal hosts, and one that differs from them by its offers only.
  const tar = debianPackage('tar', '1');
  const offer = debianOffer('tar', {}, '1', '4');
  const offers = [{ ...offer, repository: 'r', sourceName: 'tar', sourceVersion: '4' }];
  for (const [n, upgradable] of [offers, offers, []].entries())
    await reportingHost(api, `alike-${n}`, { packages: [tar], upgradable } as HostFacts);
  for (const name of ['alma-1', 'alma-2']) {
    const host = await enrol(api, { hostname: name });
    const version = name === 'alma-1' ? '32:9.11.36-14.el8_10' : '32:9.11.36-16.el8_10.4';
    const bind = { name: 'bind', architecture: 'x86_64', version, vendor: 'AlmaLinux' };
    await uploadAlma(api, host, [{ ...bind, sourceName: 'bind', sourceVersion: version.slice(3) }]);
  }
  await post('/hosts/manual', { display_name: 'Quiet', hostname: 'quiet.example.org', tags: ['web'] });
}

/** What users decided: due dates, waivers of which no two cover the same and groups. */
async function decide(): Promise<void> {
  await api.admin.put('/api/v1/policies/due-dates', { json: { preset: 'by-severity' } });
  const hosts = (await api.admin.get('/api/v1/hosts?tag=db')).body;
  const scopes = [
    { kind: 'risk_accepted', advisories: ['DEBIAN-CVE-2026-1000'], all_hosts: true },
    { kind: 'mitigated', packages: ['curl'], tags: ['web'] },
    { kind: 'false_positive', advisories: ['CVE-2026-1002'], hosts: hosts.map(({ id }: CountedHost) => id) },
  ];
  for (const scope of scopes)
    await post('/waivers', { reason: 'tested', expires_at: published(-30), ...scope });
  for (const filter of [
    {},
    { tag: 'web' },
    { finding_severity: 'critical' },
    { approval_status: 'approved', gap: 'no_report' },
  ])
    await post('/groups', { name: JSON.stringify(filter), filter, shared: true });
  await sql('INSERT INTO recount_pieces (hosts) SELECT array_agg(id) FROM hosts');
  await recountChangedHosts(api.database.as('advisory-worker'), { counter: createHostCounter() });
}

beforeAll(async () => {
  await importOsv(api.database, records);
  await importOsv(
    api.database,
    [
      { cveID: 'CVE-2026-1000', dateAdded: '2026-01-02' },
      { cveID: 'CVE-2026-2001', dateAdded: '2026-01-02' },
    ],
    'cisa-kev',
  );
  await importOsv(api.database, errata, 'almalinux-errata');
  await addHosts();
  await decide();
});

const readers: Readonly<Record<string, () => Promise<string>>> = {
  'an admin': async () => api.admin.token,
  'a reader limited to tags': async () => (await addUser(api, 'operator', { tags: ['db', 'eu'] })).token,
};

const everything = { rows: null, hosts: null };

describe.each(Object.keys(readers))('for %s', (who) => {
  let reader: CountReader;
  let token: string;
  let hosts: readonly CountedHost[];
  beforeAll(async () => {
    token = (await readers[who]?.()) ?? '';
    reader = createCountReader(api.url, token);
    hosts = await reader.body('/hosts');
  });

  it('every count is that of its list', async () => {
    const { all, different } = await differing(
      compareCounts(reader, who === 'an admin' ? everything : { rows: 6, hosts: 4 }),
    );
    expect(different).toEqual([]);
    if (who !== 'an admin') return;
    // Zeros alone would prove nothing.
    const counted = all.filter((check) => check.counted > 0).map(({ what }) => what.replace(/.*: /, ''));
    for (const what of [
      'waived',
      'overdue',
      'unfixed',
      'exploited',
      'updates',
      'unknown',
      'overdue hosts',
      'hosts with all of it waived',
      'hosts pending_reboot',
      'fixed',
      'not_affected',
    ])
      expect(counted).toContain(what);
  });

  it('lists of hosts give the reasons for reboots and restarts of each host', async () => {
    interface Reasons {
      readonly reboot_reasons: readonly object[];
      readonly reboot_unknown: string | null;
      readonly booted_at: string | null;
      readonly services_to_restart: readonly { readonly name: string }[];
    }
    const listed = await reader.rows<CountedHost & Reasons>('/hosts?include_reasons=true');
    for (const host of listed) {
      const { id, reboot_reasons, reboot_unknown, services_to_restart, needs_restart, reboot_state } = host;
      const posture = await reader.body<Reasons>(`/hosts/${id}/kernel-posture`);
      const wanted = reboot_state === 'needed' ? posture.reboot_reasons : [];
      expect({ id, reboot_reasons }).toEqual({ id, reboot_reasons: wanted });
      expect({ id, reboot_unknown }).toEqual({ id, reboot_unknown: posture.reboot_unknown });
      const isRead = reboot_state !== 'not_needed' || needs_restart > 0;
      expect({ id, booted_at: host.booted_at }).toEqual({ id, booted_at: isRead ? posture.booted_at : null });
      expect(reboot_unknown !== null).toBe(reboot_state === 'unknown');
      expect(services_to_restart).toEqual(posture.services_to_restart);
      expect(services_to_restart).toHaveLength(needs_restart);
    }
    expect(listed.some((host) => host.services_to_restart.length === 2)).toBe(true);
    expect(
      listed.some(({ reboot_state, booted_at }) => reboot_state === 'needed' && booted_at === null),
    ).toBe(false);
    expect(listed.some((host) => host.reboot_reasons.length > 0)).toBe(
      who === 'an admin' || listed.some(({ reboot_state }) => reboot_state === 'needed'),
    );
    const { text } = await api.get('/api/v1/hosts.csv', { token });
    expect(text).toContain('"reboot_reasons","services_to_restart"');
    expect(text).toContain('"cron.service, ssh.service"');
    if (who === 'an admin')
      expect(text).toContain('"newer_kernel_installed: linux-image-6.1.0-29-amd64 6.1.123-1 is installed');
    expect((await api.get('/api/v1/hosts?include_reasons=true', { token })).status).toBe(422);
  });

  it('previews of decisions count what the lists have', async () => {
    if (who !== 'an admin') return;
    const { all, different } = await differing(comparePreviews(reader, hosts, everything));
    expect(different).toEqual([]);
    expect(all.filter(({ counted }) => counted > 0).length).toBeGreaterThan(10);
  });

  it('searches count what the lists of hosts and packages have', async () => {
    const { all, different } = await differing(compareSearches(reader, ['host', 'zlib', 'a']));
    expect(different).toEqual([]);
    expect(all.some(({ counted }) => counted > 1)).toBe(true);
  });

  it('waivers count the findings that bear them', async () => {
    const { all, different } = await differing(compareWaivers(reader, hosts));
    expect(different).toEqual([]);
    expect(all.filter(({ counted }) => counted > 0).length).toBeGreaterThan(2);
  });

  it('reports by mail have the numbers of the lists', async () => {
    await publishKey(api.database);
    const mail = { name: 'Mail', kind: 'email', addresses: ['admin@example.org'] };
    const { id: channel } = await post('/channels', mail, token);
    for (const tag of ['db', null]) {
      const times = { every: 'week', at: '08:00', time_zone: 'UTC' };
      const { id } = await post('/bulletins', { name: 'Report', channel_id: channel, tag, ...times }, token);
      const { all, different } = await differing(compareBulletin(reader, id, hosts));
      expect(different).toEqual([]);
      expect(all.length).toBeGreaterThan(20);
    }
  });

  it('VEX documents of the fleet say of each host what its own document says', async () => {
    const approved = hosts.filter((host) => host.approval_status === 'approved');
    for (const query of ['', 'tag=db']) {
      const members = query === '' ? approved : approved.filter(({ tags }) => tags.includes('db'));
      const { all, different } = await differing(
        compareVex(reader, members, { query, extent: { hosts: null } }),
      );
      expect(different).toEqual([]);
      expect(all.filter(({ counted }) => counted > 3).length).toBeGreaterThan(members.length);
    }
    const cve = await differing(
      compareVex(reader, approved, { cve: 'CVE-2026-1002', extent: { hosts: null } }),
    );
    expect(cve.different).toEqual([]);
    expect(cve.all.some(({ counted }) => counted > 0)).toBe(true);
  });

  it('plans have the totals of their hosts, with each open advisory once', async () => {
    for (const filter of [{}, { tag: 'db' }] as const) {
      const { all, different } = await differing(comparePlan(reader, filter));
      expect(different).toEqual([]);
      expect(all.filter(({ counted }) => counted > 0).length).toBeGreaterThan(5);
    }
  });
});

it('notifications name as many hosts as the list of the advisory has', async () => {
  await addRoute(api.database, ['finding.new']);
  await importOsv(api.database, [
    ...records,
    debianRecord('DEBIAN-CVE-2026-3000', 'tar', { fixed: '9', urgency: 'high', cves: ['CVE-2026-3000'] }),
    debianRecord('DEBIAN-CVE-2026-3001', 'curl', { fixed: '9', urgency: 'high', cves: ['CVE-2026-3001'] }),
  ]);
  const clock = (_route: unknown, now: Date) => ({ kind: 'alone', at: now }) as const;
  await createEventCollector(api.database.as('notify-worker'), clock).collect(100);
  const reader = createCountReader(api.url, api.admin.token);
  const deliveries = await reader.rows<{ events: readonly { subject: string; host_count: number }[] }>(
    '/deliveries',
  );
  const events = deliveries.flatMap((delivery) => delivery.events);
  expect(events.map(({ subject }) => subject).sort()).toEqual([
    'DEBIAN-CVE-2026-3000',
    'DEBIAN-CVE-2026-3001',
  ]);
  for (const { subject, host_count: counted } of events) {
    const listed = await reader.total(`/findings?group_by=host&advisory=${subject}`);
    expect({ subject, counted }).toEqual({ subject, counted: listed });
    expect(counted).toBeGreaterThan(0);
  }
});
