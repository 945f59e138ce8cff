import { createHostCounter, type HostCounter, recountChangedHosts } from '@plimsoll/db';
import { v7 } from 'uuid';
import { apiPerTest, type EnrolledHost } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { stateDifferences } from './state-differences.ts';

const api = apiPerTest();
beforeEach(async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', {
      fixed: '1:9.2p1-3',
      urgency: 'high',
      cves: ['CVE-2024-0001'],
    }),
    debianRecord('DEBIAN-CVE-2024-0002', 'curl', {
      fixed: '7.88-2',
      urgency: 'low',
      cves: ['CVE-2024-0002'],
    }),
  ]);
});

const hostNamed = (name: string) =>
  reportingHost(api, name, {
    packages: [debianPackage('openssh', '1:9.2p1-2'), debianPackage('curl', '7.88-1')] as never,
  });

/** Stores a waiver for the CVE of openssh, and has the hosts counted that it concerns. */
async function waive(scope: { hosts?: string[]; tags?: string[]; all?: boolean }): Promise<void> {
  await api.database.db.pool.query(
    `INSERT INTO waivers (id, kind, advisories, packages, host_ids, tags, all_hosts, reason, created_by, expires_at)
     VALUES ($1, 'risk_accepted', '{CVE-2024-0001}', '{}', $2, $3, $4, 'not reachable', 'test', now() + interval '9 days')`,
    [v7(), scope.hosts ?? [], scope.tags ?? [], scope.all ?? false],
  );
  await api.database.db.pool.query('INSERT INTO recount_pieces (hosts) SELECT array_agg(id) FROM hosts');
}

const recount = (counter: HostCounter = createHostCounter()) =>
  recountChangedHosts(api.database.as('advisory-worker'), { counter });

async function countsOf({ id }: EnrolledHost) {
  const { body } = await api.admin.get(`/api/v1/hosts/${id}`);
  const { important_count, low_count, waived_count, overall_action } = body;
  return { important_count, low_count, waived_count, overall_action };
}

const differences = async () =>
  (await stateDifferences(api.database.as('cli'))).filter(({ what }) => what === 'counts');

it('counts a waived finding apart on the hosts in scope, and equal hosts without the waiver as before', async () => {
  const [alpha, bravo] = [await hostNamed('alpha'), await hostNamed('bravo')];
  const counter = createHostCounter();
  await recount(counter);
  const before = await countsOf(alpha);
  expect(before).toMatchObject({ low_count: 1, waived_count: 0 });
  await waive({ hosts: [alpha.id] });
  expect(await recount(counter)).toBe(2);
  const after = await countsOf(alpha);
  expect(after.waived_count).toBe(1);
  expect(after.important_count).toBe(before.important_count - 1);
  expect(after.low_count).toBe(1);
  expect(await countsOf(bravo)).toEqual(before);
  expect(await differences()).toEqual([]);
});

it('counts hosts that report later by the waivers of their tags and of the fleet', async () => {
  await waive({ tags: ['web'] });
  await recount();
  const host = await hostNamed('alpha');
  expect(await countsOf(host)).toMatchObject({ waived_count: 0 });
  await api.admin.patch(`/api/v1/hosts/${host.id}`, { json: { tags: ['web', 'eu'] } });
  expect(await recount()).toBe(1);
  expect(await countsOf(host)).toMatchObject({ waived_count: 1, low_count: 1 });
  await api.admin.patch(`/api/v1/hosts/${host.id}`, { json: { tags: ['eu'] } });
  await recount();
  expect(await countsOf(host)).toMatchObject({ waived_count: 0 });
  await waive({ all: true });
  await recount();
  expect((await countsOf(await hostNamed('bravo'))).waived_count).toBe(1);
  expect(await differences()).toEqual([]);
});

it('counts a host by the waivers after their time as if they were not there', async () => {
  const host = await hostNamed('alpha');
  await waive({ all: true });
  await recount();
  await api.database.db.pool.query("UPDATE waivers SET expires_at = now() - interval '1 second'");
  await api.database.db.pool.query('INSERT INTO recount_pieces (hosts) VALUES (ARRAY[$1::uuid])', [host.id]);
  await recount();
  expect(await countsOf(host)).toMatchObject({ waived_count: 0, low_count: 1 });
});
