import {
  createDeliveryRunStore,
  createHostCounter,
  createHostWatch,
  recountChangedHosts,
} from '@plimsoll/db';
import { apiPerTest, type EnrolledHost } from './api-under-test.ts';
import {
  debianOffer,
  debianPackage,
  debianRecord,
  type HostFacts,
  reportAgain,
  reportingHost,
} from './debian-fleet.ts';
import { addRoute, toldNow } from './notified.ts';
import { importOsv } from './pipeline.ts';

const dayMs = 24 * 3_600_000;
const ago = (days: number) => new Date(Date.now() - days * dayMs).toISOString();
const api = apiPerTest();
let alpha: EnrolledHost;
const counter = createHostCounter();

const record = (id: string, name: string, days: number) =>
  debianRecord(`DEBIAN-${id}`, name, { fixed: '2', cves: [id], urgency: 'high', published: ago(days) });
const facts: HostFacts = {
  packages: [debianPackage('openssh', '1'), debianPackage('curl', '1')] as never, // fields have the form of the init
};
const sql = (text: string, values: unknown[] = []) => api.database.db.pool.query(text, values);
const recount = () => recountChangedHosts(api.database.as('advisory-worker'), { counter });

beforeEach(async () => {
  await addRoute(api.database, [
    'finding.overdue',
    'finding.due_soon',
    'fix.reachable',
    'disagreement.jumped',
  ]);
  await importOsv(api.database, [record('CVE-2026-0001', 'openssh', 10), record('CVE-2026-0002', 'curl', 5)]);
  await api.admin.put('/api/v1/policies/due-dates', { json: { rules: [{ days: 7, clock: 'published' }] } });
  alpha = await reportingHost(api, 'alpha', facts);
  await reportingHost(api, 'bravo', facts);
  await recount();
});

const look = () => createHostWatch(api.database.as('notify-worker')).look();
/** As if the last look had been so many days ago. */
const seen = (days: number) =>
  sql(
    `UPDATE notification_hosts SET seen_at = now() - make_interval(days => $1), next_at = now() - interval '1 second'`,
    [days],
  );

async function told(): Promise<readonly unknown[]> {
  await look();
  return toldNow(api.database);
}

it('tells each advisory once when its date comes or is near, with its hosts, and no waived finding', async () => {
  expect(await told()).toEqual([]);
  await seen(5);
  const expected = [
    ['finding.due_soon', 'DEBIAN-CVE-2026-0002', 'alpha', 'bravo'],
    ['finding.overdue', 'DEBIAN-CVE-2026-0001', 'alpha', 'bravo'],
  ];
  expect(await told()).toEqual(expected);
  expect(await told()).toEqual([]);
  // The date of openssh was past before, that of curl was not near.
  await seen(2);
  expect(await told()).toEqual([expected[0]]);
  const waiver = {
    kind: 'mitigated',
    packages: ['openssh'],
    hosts: [alpha.id],
    reason: 'r',
    expires_at: ago(-30),
  };
  expect((await api.admin.post('/api/v1/waivers', { json: waiver })).status).toBe(201);
  await recount();
  await seen(5);
  expect(await told()).toEqual([expected[0], ['finding.overdue', 'DEBIAN-CVE-2026-0001', 'bravo']]);
});

it('tells each advisory of a package at its own date, and none again with another version of the package', async () => {
  await importOsv(api.database, [
    record('CVE-2026-0001', 'openssh', 10),
    record('CVE-2026-0002', 'curl', 5),
    record('CVE-2026-0003', 'openssh', 8),
    record('CVE-2026-0004', 'openssh', 5.5),
    record('CVE-2026-0005', 'openssh', 1),
  ]);
  await recount();
  await told();
  // Two days ago the first was overdue, and the fourth was due in more than three days.
  await seen(2);
  const said = (event: string, id: string) => [event, `DEBIAN-${id}`, 'alpha', 'bravo'];
  expect(await told()).toEqual([
    said('finding.due_soon', 'CVE-2026-0002'),
    said('finding.due_soon', 'CVE-2026-0004'),
    said('finding.overdue', 'CVE-2026-0003'),
  ]);
  const { rows: next } = await sql(
    'SELECT DISTINCT round(extract(epoch FROM next_at - now()) / 3600)::int AS hours FROM notification_hosts',
  );
  expect(next).toEqual([{ hours: 36 }]);
  const { rows } = await sql(
    `SELECT id FROM notification_deliveries WHERE items -> 'events' -> 0 ->> 'event' = 'finding.overdue'`,
  );
  const begun = await createDeliveryRunStore(api.database.as('notify-worker')).begin(rows[0].id, 60);
  expect(begun?.items.events).toMatchObject([{ subject: 'DEBIAN-CVE-2026-0003', host_count: 2 }]);
  const other = [debianPackage('openssh', '1.5'), debianPackage('curl', '2')];
  await reportAgain(api, alpha, 'alpha', { packages: other as never });
  expect(await told()).toEqual([]);
});

it('tells what a new policy makes overdue, and only the hosts on which it still is when the message is due', async () => {
  await told();
  await api.admin.put('/api/v1/policies/due-dates', { json: { rules: [{ days: 1, clock: 'published' }] } });
  await recount();
  expect(await told()).toEqual([['finding.overdue', 'DEBIAN-CVE-2026-0002', 'alpha', 'bravo']]);
  await reportAgain(api, alpha, 'alpha', { packages: [debianPackage('curl', '2')] as never });
  const { rows } = await sql('SELECT id FROM notification_deliveries');
  const begun = await createDeliveryRunStore(api.database.as('notify-worker')).begin(rows[0].id, 60);
  expect(begun?.items.events).toMatchObject([{ host_count: 1, hosts: [{ display_name: 'bravo' }] }]);
});

it('tells when a fix that the repositories lacked is offered', async () => {
  await reportAgain(api, alpha, 'alpha', { ...facts, upgradable: [] });
  await told();
  await reportAgain(api, alpha, 'alpha', {
    ...facts,
    upgradable: [debianOffer('openssh', { isSecurity: true })],
  });
  expect(await told()).toEqual([['fix.reachable', 'DEBIAN-CVE-2026-0001', 'alpha']]);
  expect(await told()).toEqual([]);
});

it('makes one message of many advisories, and of many hosts whose disagreements jump', async () => {
  const names = Array.from({ length: 60 }, (_, n) => `package-${n}`);
  await importOsv(
    api.database,
    names.map((name, n) => record(`CVE-2026-1${String(n).padStart(3, '0')}`, name, 30)),
  );
  await told();
  const many = { packages: names.map((name) => debianPackage(name, '1')) as never };
  for (const name of ['alpha', 'bravo']) {
    const { rows } = await sql('SELECT id FROM hosts WHERE display_name = $1', [name]);
    const host = name === 'alpha' ? alpha : await reportingHost(api, `${name}-2`, facts);
    expect(rows).toHaveLength(1);
    await reportAgain(api, host, name === 'alpha' ? 'alpha' : 'bravo-2', many);
  }
  await sql('UPDATE host_state SET disagreements = 7');
  expect(await told()).toEqual([
    ['disagreement.jumped', '', 'alpha', 'bravo'],
    ['finding.overdue', '', 'alpha'],
  ]);
});

it('remembers nothing while no route wants it, and then begins anew', async () => {
  await look();
  await sql('UPDATE notification_routes SET paused_at = now()');
  await look();
  expect((await sql('SELECT FROM notification_hosts')).rowCount).toBe(0);
  await sql('UPDATE notification_routes SET paused_at = NULL');
  expect(await told()).toEqual([]);
});

it('says of due findings that the due dates ask for forensics', async () => {
  await sql(`INSERT INTO cves (id, exploited_since) VALUES ('CVE-2026-0001', now() - interval '3 days')`);
  await api.admin.put('/api/v1/policies/due-dates', {
    json: {
      rules: [
        { known_exploited: true, days: 7, clock: 'published', forensics: true },
        { days: 7, clock: 'published' },
      ],
    },
  });
  await recount();
  await told();
  await sql('DELETE FROM notification_events');
  await seen(5);
  await look();
  const { rows } = await sql(
    `SELECT event, subject, data -> 'forensics' AS forensics FROM notification_events WHERE event LIKE 'finding.%' ORDER BY event`,
  );
  expect(rows).toEqual([
    { event: 'finding.due_soon', subject: 'DEBIAN-CVE-2026-0002', forensics: null },
    { event: 'finding.overdue', subject: 'DEBIAN-CVE-2026-0001', forensics: true },
  ]);
});
