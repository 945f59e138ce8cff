import type { AnsibleInventory } from '@plimsoll/contract';
import { apiPerFile, enrol } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';

const api = apiPerFile();

beforeAll(async () => {
  await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2' })]);
});

async function inventory(query = ''): Promise<AnsibleInventory> {
  const answer = await api.admin.get(`/api/v1/inventory/ansible${query}`);
  expect(answer.status).toBe(200);
  return answer.body as AnsibleInventory;
}

/** A host with an old openssh and tags; its id. */
async function taggedHost(hostname: string, tags: readonly string[]): Promise<string> {
  const { id } = await reportingHost(api, hostname, { packages: [debianPackage('openssh', '1')] });
  // The second host of one name waits for approval.
  expect((await api.admin.post(`/api/v1/hosts/${id}/approve`)).status).toBe(200);
  expect((await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags } })).status).toBe(200);
  return id;
}

describe('GET /inventory/ansible', () => {
  it('groups hosts by tag, system, status and action, and gives what is known of each', async () => {
    const id = await taggedHost('web-1.example.org', ['web', 'eu-west']);
    const { _meta, all, ...groups } = await inventory('?tag=web');
    expect(Object.keys(groups).sort()).toEqual([...all.children]);
    for (const group of [
      'tag_web',
      'tag_eu_west',
      'family_apt',
      'os_debian',
      'os_debian_12',
      'status_active',
    ]) {
      expect([group, groups[group]]).toEqual([group, { hosts: ['web-1.example.org'] }]);
    }
    const host = (await api.admin.get(`/api/v1/hosts/${id}`)).body;
    expect(groups[`action_${host.overall_action}`]).toEqual({ hosts: ['web-1.example.org'] });
    expect(_meta.hostvars).toEqual({
      'web-1.example.org': expect.objectContaining({
        plimsoll_id: id,
        plimsoll_action: host.overall_action,
        plimsoll_gaps: host.gaps,
        plimsoll_coverage: host.coverage,
        plimsoll_tags: ['web', 'eu-west'],
      }),
    });
  });

  it('contains no text of a host that Ansible would evaluate, and no host that takes a name of Ansible', async () => {
    const template = "{{ lookup('pipe', 'id') }}";
    const ids = [
      await taggedHost('template', [template, 'hostile']),
      await taggedHost('localhost', ['hostile']),
    ];
    await api.database.db.pool.query(
      `UPDATE host_state SET os_version = $1, architecture = $1, os_name = $1 WHERE host_id = ANY($2::uuid[])`,
      [template, ids],
    );
    // The API refuses such names; an inventory must not rely on that.
    await api.database.db.pool.query('UPDATE hosts SET hostname = $1 WHERE id = $2', [template, ids[0]]);
    const answer = await inventory('?tag=hostile');
    expect(JSON.stringify(answer)).not.toMatch(/\{\{|lookup\(|"localhost"/);
    expect(Object.keys(answer._meta.hostvars).sort()).toEqual(ids.map((id) => `host-${id}`).sort());
  });

  it('names hosts of one host name apart, and groups of tags that only differ in their signs', async () => {
    const ids = [
      await taggedHost('twin', ['a-b', 'twins']),
      await taggedHost('twin', ['a_b', 'a.b', 'twins']),
    ];
    const { _meta, all, ...groups } = await inventory('?tag=twins');
    expect(Object.keys(_meta.hostvars).sort()).toEqual(ids.map((id) => `twin-${id}`).sort());
    expect(groups['tag_a_b']).toEqual({ hosts: [`twin-${ids[1]}`] });
    const marked = all.children.filter((group) => /^tag_a_b_[\da-f]{8}$/.test(group));
    expect(marked.map((group) => groups[group]?.hosts)).toEqual(
      expect.arrayContaining([[`twin-${ids[0]}`], [`twin-${ids[1]}`]]),
    );
  });

  it('leads to the address that a user entered, or that the host alone has, and otherwise nowhere', async () => {
    const report = async (hostname: string, ipAddresses: readonly string[], autoApprove = true) => {
      const machine = { ipAddresses };
      return (await reportingHost(api, hostname, { machine, autoApprove })).id;
    };
    const placesOf = async () => {
      const { _meta } = await inventory();
      return Object.fromEntries(
        Object.entries(_meta.hostvars).map(([name, { ansible_host, plimsoll_no_address: why }]) => [
          name,
          ansible_host ?? why,
        ]),
      );
    };
    const honest = await report('honest.example.org', ['198.51.100.1', '10.9.0.1']);
    expect(await placesOf()).toMatchObject({ 'honest.example.org': '198.51.100.1' });
    for (const hostname of ['switch.example.org', 'FD00::000A', '::ffff:198.51.100.7']) {
      const json = { display_name: hostname, hostname };
      expect((await api.admin.post('/api/v1/hosts/manual', { json })).status).toBe(201);
    }
    const shared = 'Another host has the address, too, that the host reported.';
    const none = 'The address that the host reported is not one of a single machine in a network.';
    const claims: readonly [hostname: string, addresses: readonly string[], why: string][] = [
      ['second', ['10.9.0.1'], shared],
      ['shorter', ['fd00::a'], shared],
      ['unmapped', ['198.51.100.7'], shared],
      ['loops', ['127.0.0.1'], none],
      ['mapped', ['::ffff:198.51.100.2'], none],
      ['named', ['switch.example.org'], none],
      ['metadata', ['169.254.169.254'], none],
    ];
    for (const [hostname, addresses, why] of claims) {
      const id = await report(hostname, addresses);
      expect(await placesOf()).toMatchObject({ [`${hostname}-${id}`]: why });
    }
    expect(await placesOf()).toMatchObject({
      'honest.example.org': '198.51.100.1',
      'switch.example.org': 'switch.example.org',
    });
    // Also a host that nobody approved.
    await report('pending.example.org', ['198.51.100.1'], false);
    expect(await placesOf()).toMatchObject({ [`honest.example.org-${honest}`]: shared });
  });

  it('leaves out hosts that wait for approval', async () => {
    await enrol(api, { hostname: 'waiting.example.org', autoApprove: false });
    expect(JSON.stringify(await inventory())).not.toContain('waiting.example.org');
    expect((await api.admin.get('/api/v1/inventory/ansible?approval_status=pending')).status).toBe(422);
  });
});
