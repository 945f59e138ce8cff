import { createDeliveryRunStore } from '@plimsoll/db';
import { apiPerTest } from './api-under-test.ts';
import { debianPackage, debianRecord, type HostFacts, reportAgain, reportingHost } from './debian-fleet.ts';
import { addRoute, toldNow } from './notified.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerTest();
beforeEach(() => addRoute(api.database, ['finding.new', 'finding.known_exploited']));

const record = (id: string, name: string, fixed: string) =>
  debianRecord(`DEBIAN-${id}`, name, { fixed, cves: [id], urgency: 'high' });
const packages = (...list: readonly (readonly [string, string])[]) =>
  ({ packages: list.map(([name, version]) => debianPackage(name, version)) }) as HostFacts;

const told = () => toldNow(api.database);

it('tells one event per advisory with its hosts, and of first snapshots only what is known to be exploited', async () => {
  await importOsv(api.database, [
    record('CVE-2024-0003', 'bash', '5-2'),
    record('CVE-2024-0004', 'zlib', '2'),
  ]);
  await importOsv(api.database, [{ cveID: 'CVE-2024-0004', dateAdded: '2024-01-02' }], 'cisa-kev');
  const alpha = await reportingHost(api, 'alpha', packages(['openssh', '1'], ['bash', '5-1']));
  await reportingHost(api, 'bravo', packages(['openssh', '1'], ['zlib', '1']));
  await reportingHost(api, 'pending', { autoApprove: false, ...packages(['openssh', '1']) });
  expect(await told()).toEqual([['finding.known_exploited', 'DEBIAN-CVE-2024-0004', 'bravo']]);
  const records = [
    record('CVE-2024-0001', 'openssh', '2'),
    record('CVE-2024-0003', 'bash', '5-2'),
    record('CVE-2024-0004', 'zlib', '2'),
  ];
  await importOsv(api.database, records);
  expect(await told()).toEqual([['finding.new', 'DEBIAN-CVE-2024-0001', 'alpha', 'bravo']]);
  await importOsv(api.database, records);
  expect(await told()).toEqual([]);
  await importOsv(
    api.database,
    [
      { cveID: 'CVE-2024-0001', dateAdded: '2024-01-02' },
      { cveID: 'CVE-2024-0004', dateAdded: '2024-01-02' },
    ],
    'cisa-kev',
  );
  expect(await told()).toEqual([['finding.known_exploited', 'DEBIAN-CVE-2024-0001', 'alpha', 'bravo']]);
  await reportAgain(api, alpha, 'alpha', packages(['openssh', '2'], ['bash', '5-1'], ['zlib', '1']));
  expect(await told()).toEqual([['finding.known_exploited', 'DEBIAN-CVE-2024-0004', 'alpha']]);
});

it.each([
  ['critical', []],
  ['important', [['finding.new', 'DEBIAN-CVE-2024-0001', 'alpha']]],
])('of a route for %s findings and above tells an important one accordingly', async (least, expected) => {
  await api.database.db.pool.query('UPDATE notification_routes SET min_severity = $1', [least]);
  await reportingHost(api, 'alpha', packages(['openssh', '1']));
  await importOsv(api.database, [record('CVE-2024-0001', 'openssh', '2')]);
  expect(await told()).toEqual(expected);
});

it('cancels a finding that was patched before its message was due', async () => {
  const alpha = await reportingHost(api, 'alpha', packages(['openssh', '1']));
  await importOsv(api.database, [record('CVE-2024-0001', 'openssh', '2')]);
  expect(await told()).toHaveLength(1);
  await reportAgain(api, alpha, 'alpha', packages(['openssh', '2']));
  const { rows } = await api.database.db.pool.query<{ id: string }>('SELECT id FROM notification_deliveries');
  expect(
    await createDeliveryRunStore(api.database.as('notify-worker')).begin(rows[0]?.id ?? '', 60),
  ).toBeNull();
  const { rows: ended } = await api.database.db.pool.query('SELECT state FROM notification_deliveries');
  expect(ended).toEqual([{ state: 'cancelled' }]);
});

it('does not tell what is waived, nor sends it if it was waived before its time', async () => {
  const alpha = await reportingHost(api, 'alpha', packages(['openssh', '1'], ['bash', '5-1']));
  await reportingHost(api, 'bravo', packages(['openssh', '1']));
  const waive = (scope: object) =>
    api.admin.post('/api/v1/waivers', {
      json: {
        kind: 'risk_accepted',
        reason: 'not reachable',
        expires_at: new Date(Date.now() + 86_400_000).toISOString(),
        ...scope,
      },
    });
  expect((await waive({ advisories: ['CVE-2024-0001'], hosts: [alpha.id] })).status).toBe(201);
  const one = record('CVE-2024-0001', 'openssh', '2');
  await importOsv(api.database, [one]);
  expect(await told()).toEqual([['finding.new', 'DEBIAN-CVE-2024-0001', 'bravo']]);
  await waive({ packages: ['bash'], all_hosts: true });
  await importOsv(api.database, [one, record('CVE-2024-0003', 'bash', '5-2')]);
  expect(await told()).toEqual([]);
  const { rows } = await api.database.db.pool.query<{ id: string }>('SELECT id FROM notification_deliveries');
  await waive({ advisories: ['DEBIAN-CVE-2024-0001'], all_hosts: true });
  const runs = createDeliveryRunStore(api.database.as('notify-worker'));
  expect(await runs.begin(rows[0]?.id ?? '', 60)).toBeNull();
});
