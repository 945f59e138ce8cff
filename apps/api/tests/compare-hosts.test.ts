import type { HostComparison, OddOnesOut } from '@plimsoll/contract';
import { createPatchRhythmStore } from '@plimsoll/db';
import { patchRhythmStates } from '@plimsoll/model';
import { ageHistory } from '@plimsoll/testing';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { debianPackage, debianRecord, type HostFacts, reportAgain, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { addUser } from './users.ts';

const api = apiPerFile();
const hosts: EnrolledHost[] = [];
let odd: EnrolledHost;
let silent: EnrolledHost;

const packagesOf = (...some: (readonly [name: string, version: string])[]) =>
  ({ packages: some.map(([name, version]) => debianPackage(name, version)) }) as HostFacts;
const usual = packagesOf(['bash', '5.2'], ['openssh', '1:9.2'], ['zlib', '1.3']);

beforeAll(async () => {
  for (let n = 0; n < 9; n += 1) hosts.push(await reportingHost(api, `web-${n}`, usual));
  odd = await reportingHost(api, 'odd', packagesOf(['openssh', '9.9'], ['zlib', '1.3'], ['nginx', '1.2']));
  silent = await enrol(api, { hostname: 'silent', autoApprove: true });
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', {
      fixed: '1:9.1',
      cves: ['CVE-2024-0001'],
      urgency: 'high',
    }),
    debianRecord('DEBIAN-CVE-2024-0002', 'zlib', { fixed: '2', cves: ['CVE-2024-0002'], urgency: 'high' }),
    debianRecord('DEBIAN-CVE-2024-0003', 'bash', { fixed: '6', cves: ['CVE-2024-0003'], urgency: 'high' }),
  ]);
});

async function compare(a: string, b: string): Promise<HostComparison> {
  const { status, body } = await api.admin.get(`/api/v1/hosts/compare?a=${a}&b=${b}`);
  expect(status).toBe(200);
  return body;
}

const usualId = () => hosts[0]?.id ?? '';

it('compares packages with epochs, and findings by advisory', async () => {
  const { packages, findings, limits } = await compare(usualId(), odd.id);
  expect(packages).toEqual({
    same: 1,
    only_a: [{ name: 'bash', architecture: 'amd64', versions: ['5.2'] }],
    only_b: [{ name: 'nginx', architecture: 'amd64', versions: ['1.2'] }],
    different: [{ name: 'openssh', architecture: 'amd64', a: ['1:9.2'], b: ['9.9'], newer: 'a' }],
  });
  expect(findings).toMatchObject({
    same: 1,
    only_a: [{ name: 'bash', advisory_id: 'DEBIAN-CVE-2024-0003' }],
    only_b: [{ name: 'openssh', advisory_id: 'DEBIAN-CVE-2024-0001', cves: ['CVE-2024-0001'] }],
  });
  expect(limits).not.toContain('no_report_a');
});

it('the other way round it is the mirror image', async () => {
  const [one, other] = [await compare(usualId(), odd.id), await compare(odd.id, usualId())];
  expect(other.packages?.only_a).toEqual(one.packages?.only_b);
  expect(other.packages?.different[0]?.newer).toBe('b');
  expect(other.findings?.only_b).toEqual(one.findings?.only_a);
  expect(other.facts.map(({ a, b }) => [b, a])).toEqual(one.facts.map(({ a, b }) => [a, b]));
});

it('says that nothing is known of a host without a report', async () => {
  const found = await compare(usualId(), silent.id);
  expect([found.packages, found.findings, found.limits]).toEqual([
    null,
    null,
    expect.arrayContaining(['no_report_b', 'findings_unknown_b']),
  ]);
});

it('says that one has not reported for days, also if what it last reported was not new', async () => {
  const other = hosts[1]?.id ?? '';
  expect((await compare(usualId(), other)).limits).not.toContain('reports_apart');
  const { rows } = await api.database.db.pool.query(
    `UPDATE host_contacts SET last_confirmed_at = now() - interval '3 days' WHERE host_id = $1 RETURNING last_confirmed_at`,
    [other],
  );
  const found = await compare(usualId(), other);
  expect(found.limits).toContain('reports_apart');
  expect(found.b.received_at).toBe(rows[0].last_confirmed_at.toISOString());
  const listed = await api.admin.get('/api/v1/hosts?q=web-1&sort=reported_at');
  expect(listed.body[0].reported_at).toBe(found.b.received_at);
});

it('compares no host with itself, nor with an unknown one', async () => {
  const ask = async (a: string, b: string) =>
    (await api.admin.get(`/api/v1/hosts/compare?a=${a}&b=${b}`)).status;
  expect(await ask(odd.id, odd.id)).toBe(422);
  expect(await ask(odd.id, '019a0000-0000-7000-8000-000000000000')).toBe(404);
});

async function oddOnes(query = ''): Promise<OddOnesOut> {
  const { status, body } = await api.admin.get(`/api/v1/hosts/odd-ones-out${query}`);
  expect(status).toBe(200);
  return body;
}

it('finds the odd one of ten hosts, and says what is not known', async () => {
  const found = await oddOnes();
  expect(found).toMatchObject({ hosts: 11, unreported_hosts: 1, left_out_hosts: 0 });
  expect(found.releases).toHaveLength(1);
  const [release] = found.releases;
  expect(release).toMatchObject({ release: 'debian:12', hosts: 10, odd_hosts: 1 });
  expect(release?.odd).toEqual([
    {
      host_id: odd.id,
      display_name: 'odd',
      packages: [
        {
          kind: 'other_version',
          name: 'openssh',
          architecture: 'amd64',
          version: '9.9',
          common_version: '1:9.2',
        },
        { kind: 'missing', name: 'bash', architecture: 'amd64', version: null, common_version: '5.2' },
        { kind: 'extra', name: 'nginx', architecture: 'amd64', version: '1.2', common_version: null },
      ],
      more_packages: 0,
    },
  ]);
  expect(release?.common.map(({ name, hosts: having, other_hosts }) => [name, having, other_hosts])).toEqual([
    ['bash', 9, 1],
    ['openssh', 9, 1],
  ]);
});

it('says that four hosts are too few', async () => {
  for (const { id } of hosts.slice(0, 4))
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: ['few'] } });
  expect((await oddOnes('?tag=few')).releases).toEqual([
    { release: 'debian:12', hosts: 4, odd_hosts: null, odd: [], common: [] },
  ]);
});

it('learns the rhythm of a host, and says when it has stopped', async () => {
  const waiting = {
    upgradable: [{ name: 'bash', architecture: 'amd64', installedVersion: '9', candidateVersion: '10' }],
  };
  const host = await reportingHost(api, 'rhythm', packagesOf(['bash', '1']));
  const { token: reader } = await addUser(api, 'viewer', { tags: ['few'] });
  const learner = createPatchRhythmStore(api.database.as('scheduler'));
  /** The rhythm of the host, which is in the list of its state only, and counted there. */
  const rhythm = async () => {
    await learner.learnDue(100);
    const learned = (await api.admin.get(`/api/v1/hosts/${host.id}`)).body.patch_rhythm;
    for (const token of [api.admin.token, reader]) {
      const { body: summary } = await api.get('/api/v1/fleet/summary', { token });
      const listed: Record<string, readonly string[]> = {};
      for (const state of patchRhythmStates) {
        const query = `approval_status=approved&patch_rhythm=${state}`;
        const { body: ids } = await api.get(`/api/v1/hosts/ids?${query}`, { token });
        expect(summary.by_patch_rhythm[state]).toBe(ids.length);
        listed[state] = ids;
      }
      expect(Object.values(listed).flat()).toHaveLength(summary.hosts);
      const states = patchRhythmStates.filter((state) => listed[state]?.includes(host.id));
      expect(states).toEqual(token === api.admin.token ? [learned.state] : []);
    }
    return learned;
  };
  expect(await rhythm()).toMatchObject({ state: 'unknown', reason: 'not_enough_history', rounds: 0 });
  for (let round = 2; round < 8; round += 1) {
    await ageHistory(api.database.db.pool, 7);
    await reportAgain(api, host, 'rhythm', packagesOf(['bash', String(round)]));
  }
  expect(await rhythm()).toMatchObject({ state: 'regular', rounds: 6, median_days: 7, longest_days: 7 });
  await ageHistory(api.database.db.pool, 16);
  expect(await rhythm()).toMatchObject({ state: 'unknown', reason: 'no_recent_report' });
  await reportAgain(api, host, 'rhythm', { ...packagesOf(['bash', '7']), ...waiting } as HostFacts);
  expect(await rhythm()).toMatchObject({ state: 'stopped', reason: null });
  await reportAgain(api, host, 'rhythm', packagesOf(['bash', '7']));
  expect(['nothing_to_install', 'stopped']).toContain((await rhythm()).state);
  await reportAgain(api, host, 'rhythm', { ...packagesOf(['bash', '9']), ...waiting } as HostFacts);
  expect(await rhythm()).toMatchObject({ state: 'regular', rounds: 7, longest_days: 16 });
});
