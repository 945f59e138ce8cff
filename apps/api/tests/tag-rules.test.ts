import { createHostCounter, createTagWalk, recountChangedHosts } from '@plimsoll/db';
import { apiPerFile, enrol } from './api-under-test.ts';
import { debianPackage, reportAgain, reportingHost } from './debian-fleet.ts';

const api = apiPerFile();

const packages = [debianPackage('openssh', '1:9.2p1-2')] as never;
const walk = () => createTagWalk(api.database.as('scheduler')).apply();

async function setRules(...rules: object[]): Promise<number> {
  const { status } = await api.admin.put('/api/v1/policies/tags', { json: { rules } });
  expect(status).toBe(200);
  return walk();
}
async function tagsOf(id: string) {
  const { body } = await api.admin.get(`/api/v1/hosts/${id}`);
  return { tags: body.tags, by_rule: body.tags_by_rule };
}
const change = (id: string, json: object, as = api.admin.token) =>
  api.patch(`/api/v1/hosts/${id}`, { token: as, json });
const act = (json: object, as = api.admin.token) => api.post('/api/v1/hosts/actions', { token: as, json });

async function manualHost(display_name: string, tags: readonly string[] = []): Promise<string> {
  const json = { display_name, hostname: `${display_name}.example.org`, tags };
  return (await api.admin.post('/api/v1/hosts/manual', { json })).body.id;
}

async function issue(json: object) {
  const { body } = await api.admin.post('/api/v1/registration-tokens', { json: { name: 'dmz', ...json } });
  return body as { id: string; token: string };
}

let machine = 0;
async function register(registration_token: string, hostname: string): Promise<string> {
  machine += 1;
  const json = {
    registration_token,
    hostname,
    machine_id: `tagged-${machine}`,
    metadata: { os_name: 'debian', os_version: '12.8' },
  };
  return (await api.post('/api/v1/agent/register', { json })).body.host_id;
}

describe('rules that give tags', () => {
  it('apply to all hosts when they are put in force, and take back only what they gave', async () => {
    const web = await manualHost('web-01', ['hand']);
    const both = await manualHost('web-02', ['web']);
    const other = await manualHost('db-01');
    expect(await setRules({ name: 'WEB-0?', tags: ['web', 'linux'] })).toBe(2);
    expect(await tagsOf(web)).toEqual({ tags: ['hand', 'linux', 'web'], by_rule: ['linux', 'web'] });
    expect(await tagsOf(both)).toEqual({ tags: ['web', 'linux'], by_rule: ['linux'] });
    expect(await tagsOf(other)).toEqual({ tags: [], by_rule: [] });
    expect((await api.admin.get('/api/v1/policies/tags')).body).toMatchObject({
      rules: [{ name: 'WEB-0?', tags: ['web', 'linux'], trust_hosts: false }],
      applying: false,
    });
    expect(await setRules()).toBe(2);
    expect([await tagsOf(web), await tagsOf(both)]).toEqual([
      { tags: ['hand'], by_rule: [] },
      { tags: ['web'], by_rule: [] },
    ]);
  });

  it('write each application into the audit log with the hosts that gained and lost tags', async () => {
    const applied = async () => {
      const { body } = await api.admin.get('/api/v1/audit-events?action=tag_rules.applied&limit=1');
      const { actor_kind, actor_name, details } = body[0];
      return { actor_kind, actor_name, details };
    };
    for (let n = 0; n < 25; n += 1) await manualHost(`log-${String(n).padStart(2, '0')}`);
    await setRules({ name: 'log-*', tags: ['logged'] }, { name: 'log-03', tags: ['third'] });
    const first = await applied();
    expect(first).toMatchObject({
      actor_kind: 'system',
      actor_name: 'scheduler',
      details: { hosts: 25, gained: [expect.any(String), 'third (1 host: log-03)'], lost: [] },
    });
    expect(first.details.gained[0]).toMatch(/^logged \(25 hosts: log-00, .* log-19 and 5 more\)$/);
    await setRules({ name: 'log-*', tags: ['logged'] });
    expect((await applied()).details).toEqual({ hosts: 1, gained: [], lost: ['third (1 host: log-03)'] });
    const { headers } = await api.admin.get('/api/v1/audit-events?action=tag_rules.applied');
    await setRules({ name: 'log-?*', tags: ['logged'] });
    const after = await api.admin.get('/api/v1/audit-events?action=tag_rules.applied');
    expect(after.headers['x-total-count']).toBe(headers['x-total-count']);
    await setRules();
  });

  it('apply to new hosts at once, and follow names that users change', async () => {
    await setRules({ name: 'lb-*', tags: ['edge'] }, { name: '100%_*', tags: ['literal'] });
    const host = await manualHost('lb-1');
    expect((await tagsOf(host)).tags).toEqual(['edge']);
    await change(host, { display_name: 'old balancer' });
    // The hostname that the user gave still matches.
    expect((await tagsOf(host)).tags).toEqual(['edge']);
    const odd = await manualHost('100x_1');
    expect((await tagsOf(odd)).tags).toEqual([]);
    expect((await tagsOf(await manualHost('100%_1'))).tags).toEqual(['literal']);
  });

  it('cannot be undone on a host by hand, and what is set by hand outlives them', async () => {
    await setRules({ name: 'mix-*', tags: ['ruled'] });
    const host = await manualHost('mix-1', ['own']);
    const refused = await change(host, { tags: ['own'] });
    expect([refused.status, refused.body.errors[0].pointer]).toEqual([422, '/tags']);
    expect((await act({ action: 'remove_tags', tags: ['ruled'], hosts: [host] })).body.refused).toBe(1);
    expect((await change(host, { tags: ['ruled', 'more'] })).body.tags).toEqual(['more', 'ruled']);
    expect((await tagsOf(host)).by_rule).toEqual(['ruled']);
    expect((await act({ action: 'add_tags', tags: ['ruled'], hosts: [host] })).body.done).toBe(1);
    expect((await tagsOf(host)).by_rule).toEqual([]);
    await setRules();
    expect((await tagsOf(host)).tags).toEqual(['more', 'ruled']);
  });
});

describe('what a host states itself', () => {
  it('gives no tag before the host is approved, and a new name gives none afterwards', async () => {
    await setRules({ name: 'pay-*', tags: ['payment'] });
    const { token: secret } = await issue({ auto_approve: false, max_uses: 5 });
    const host = await register(secret, 'pay-1.example.org');
    expect((await tagsOf(host)).tags).toEqual([]);
    await api.admin.post(`/api/v1/hosts/${host}/approve`);
    expect((await tagsOf(host)).tags).toEqual(['payment']);
    const renamed = await reportingHost(api, 'harmless', { packages });
    await reportAgain(api, renamed, 'pay-2', { packages });
    const { body } = await api.admin.get(`/api/v1/hosts/${renamed.id}`);
    expect([body.display_name, body.hostname, body.tags]).toEqual(['harmless', 'pay-2', []]);
  });

  it('counts at once if the rule trusts hosts: name, system and address', async () => {
    const host = await reportingHost(api, 'plain', { packages });
    const { body } = await api.admin.get(`/api/v1/hosts/${host.id}`);
    await setRules(
      { name: 'moved-*', tags: ['by-name'], trust_hosts: true },
      { os: `${body.os_name}:${body.os_major}`, tags: ['by-os'], trust_hosts: true },
      { os: 'debian:1', tags: ['wrong'], trust_hosts: true },
      { address: '0.0.0.0/0', tags: ['by-address'], trust_hosts: true },
    );
    const expected = body.ip_address === null ? ['by-os'] : ['by-address', 'by-os'];
    expect((await tagsOf(host.id)).tags).toEqual(expected);
    await reportAgain(api, host, 'moved-1', { packages });
    expect((await tagsOf(host.id)).tags).toEqual([...expected, 'by-name'].sort());
    const { token: secret } = await issue({ auto_approve: false });
    expect((await tagsOf(await register(secret, 'moved-2'))).tags).toEqual(['by-name', 'by-os']);
  });

  it('is not needed for the registration token', async () => {
    const [own, other] = [await issue({ max_uses: 2 }), await issue({})];
    await setRules({ registration_token: own.id, tags: ['dmz'] });
    await api.admin.put('/api/v1/policies/exposure', {
      json: { rules: [{ tag: 'dmz', exposure: 'public' }] },
    });
    const host = await register(own.token, 'a');
    const { body } = await api.admin.get(`/api/v1/hosts/${host}`);
    expect([body.approval_status, body.tags, body.exposure, body.exposure_source]).toEqual([
      'pending',
      ['dmz'],
      'public',
      'tag_rule',
    ]);
    expect((await tagsOf(await register(other.token, 'b'))).tags).toEqual([]);
    await setRules();
    expect((await api.admin.get(`/api/v1/hosts/${host}`)).body.exposure).toBe('unknown');
  });
});

it('has hosts counted again whose terms depend on the tag', async () => {
  const counter = createHostCounter();
  const recount = () => recountChangedHosts(api.database.as('advisory-worker'), { counter });
  await api.admin.put('/api/v1/policies/due-dates', {
    json: { rules: [{ tags: ['hot'], days: 1, clock: 'installed' }] },
  });
  await recount();
  const host = await reportingHost(api, 'hot-1', { packages });
  expect(await setRules({ name: 'hot-*', tags: ['hot'] })).toBe(1);
  expect(await recount()).toBe(1);
  await change(host.id, { display_name: 'cold' });
  expect((await tagsOf(host.id)).tags).toEqual([]);
  expect(await recount()).toBe(1);
});

describe('readers', () => {
  it('limited to tags see the rules for their own, and cannot rename a host out of their view', async () => {
    await setRules({ name: 'web-*', tags: ['web', 'secret'] }, { name: 'x-*', tags: ['secret'] });
    const expires_at = new Date(Date.now() + 3_600_000).toISOString();
    const key = await api.admin.post('/api/v1/api-keys', {
      json: { name: 'web', role: 'operator', tags: ['web'], expires_at },
    });
    const seen = await api.get('/api/v1/policies/tags', { token: key.body.key });
    expect(seen.body.rules).toEqual([{ name: 'web-*', tags: ['web'], trust_hosts: false }]);
    expect(
      (await api.put('/api/v1/policies/tags', { token: key.body.key, json: { rules: [] } })).status,
    ).toBe(403);
    const { id } = await enrol(api);
    await change(id, { display_name: 'web-77' });
    expect((await tagsOf(id)).tags).toContain('web');
    expect((await change(id, { display_name: 'mine no more' }, key.body.key)).status).toBe(422);
    expect((await api.get(`/api/v1/hosts/${id}`, { token: key.body.key })).body.display_name).toBe('web-77');
    const tags = await api.admin.get('/api/v1/tags?q=SE');
    expect(tags.body[0]).toEqual({ tag: 'secret', hosts: expect.any(Number) });
    const own = await api.get('/api/v1/tags', { token: key.body.key });
    expect(own.body.map(({ tag }: { tag: string }) => tag)).toEqual(
      expect.arrayContaining(['web', 'secret']),
    );
    expect(own.body.map(({ tag }: { tag: string }) => tag)).not.toContain('more');
  });

  it('learn what rules would change before they are in force', async () => {
    await setRules({ name: 'web-*', tags: ['web'] });
    const json = {
      rules: [
        { name: 'web-0*', tags: ['front'] },
        { name: 'db-*', tags: ['db'] },
      ],
    };
    const { body } = await api.admin.post('/api/v1/policies/tags/preview', { json });
    expect(body.rules).toEqual([{ hosts: 2 }, { hosts: 1 }]);
    expect(body.hosts_changed).toBeGreaterThanOrEqual(3);
    const front = body.tags.find(({ tag }: { tag: string }) => tag === 'front');
    expect(front).toEqual({ tag: 'front', hosts: 2, gain: 2, lose: 0, readers: 0 });
    expect(body.tags.find(({ tag }: { tag: string }) => tag === 'web').readers).toBe(1);
    expect((await api.admin.get('/api/v1/policies/tags')).body.rules).toHaveLength(1);
  });
});

it.each([
  [{ tags: ['x'] }],
  [{ name: 'a', tags: [] }],
  [{ os: 'debian', tags: ['x'] }],
  [{ address: '10.0.0.0/8', tags: ['x'] }],
  [{ address: '10.0.0.0/99', tags: ['x'], trust_hosts: true }],
  [{ os: 'Debian 12', tags: ['x'], trust_hosts: true }],
  [{ name: '*a*a*a*a*a*', tags: ['x'] }],
  [{ registration_token: '019a0000-0000-7000-8000-000000000000', tags: ['x'] }],
])('refuses %j', async (rule) => {
  expect((await api.admin.put('/api/v1/policies/tags', { json: { rules: [rule] } })).status).toBe(422);
});
