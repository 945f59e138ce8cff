import { apiPerFile, enrol } from './api-under-test.ts';
import { sshFleetOf } from './ssh-fleet.ts';
import { addUser } from './users.ts';

const api = apiPerFile();
let viewer: string;
let limited: string;

beforeAll(async () => {
  viewer = (await addUser(api, 'viewer')).token;
  limited = (await addUser(api, 'operator', { tags: ['web'] })).token;
  for (const tags of [['web'], ['web', 'db'], ['db']]) {
    const json = { display_name: tags.join(' '), hostname: 'host.example.org', tags };
    await api.admin.post('/api/v1/hosts/manual', { json });
  }
});
afterEach(() => api.database.db.prisma.hostGroup.deleteMany());

const create = (token: string, json: object) => api.post('/api/v1/groups', { token, json });
const list = async (token: string) => (await api.get('/api/v1/groups', { token })).body;
const namesOf = async (token: string) => (await list(token)).map(({ name }: { name: string }) => name);

describe('groups', () => {
  it('have the number of hosts that their filters list, for each reader by its own tags', async () => {
    const json = { name: 'Databases', filter: { tag: 'db', needs_reboot: false }, shared: true };
    expect((await create(api.admin.token, json)).status).toBe(201);
    for (const [token, hosts, isOwn] of [
      [api.admin.token, 2, true],
      [viewer, 2, false],
    ] as const) {
      const [group] = await list(token);
      expect(group).toMatchObject({ name: 'Databases', hosts, is_own: isOwn, owner: 'admin@example.org' });
      const query = new URLSearchParams(group.filter);
      const listed = await api.get(`/api/v1/hosts?${query}&limit=1`, { token });
      expect(Number(listed.headers['x-total-count'])).toBe(hosts);
    }
  });

  it('count approved hosts, and those that wait for approval apart', async () => {
    const pending = await enrol(api, { hostname: 'late.example.org', autoApprove: false });
    await api.admin.patch(`/api/v1/hosts/${pending.id}`, { json: { tags: ['db'] } });
    await create(api.admin.token, { name: 'Databases', filter: { tag: 'db' } });
    expect(await list(api.admin.token)).toMatchObject([{ hosts: 2, pending_hosts: 1, unreported_hosts: 2 }]);
    expect((await api.admin.get('/api/v1/tags?q=db')).body).toEqual([{ tag: 'db', hosts: 2 }]);
    await api.admin.delete(`/api/v1/hosts/${pending.id}`);
  });

  it('that are shared exist for a reader limited to tags only if their filters name one of these', async () => {
    const hidden = { name: 'Secret project', filter: { tag: 'db' }, shared: true };
    const { body } = await create(api.admin.token, hidden);
    await create(api.admin.token, { ...hidden, name: 'Everything', filter: {} });
    await create(api.admin.token, { name: 'Web', filter: { tag: 'web', needs_reboot: false }, shared: true });
    const own = { name: 'Secret project', filter: { q: 'db' } };
    expect((await create(limited, own)).status).toBe(201);
    expect(await list(limited)).toMatchObject([
      { name: 'Secret project', filter: { q: 'db' }, is_own: true },
      { name: 'Web', hosts: 2, is_own: false },
    ]);
    for (const method of ['patch', 'delete'] as const)
      expect((await api[method](`/api/v1/groups/${body.id}`, { token: limited, json: {} })).status).toBe(404);
    const expires = new Date(Date.now() + 3_600_000).toISOString();
    const json = { name: 'key', role: 'operator', tags: ['web'], expires_at: expires };
    const { key } = (await api.admin.post('/api/v1/api-keys', { json })).body;
    // A group that the key itself does not see afterwards.
    expect((await create(key, { name: 'Everything', filter: {}, shared: true })).status).toBe(201);
    expect(await namesOf(key)).toEqual(['Web']);
  });

  it('say of how many hosts their numbers are not known', async () => {
    // None of the hosts has reported.
    await create(api.admin.token, { name: 'Web', filter: { tag: 'web', finding_severity: 'important' } });
    await create(api.admin.token, { name: 'Databases', filter: { tag: 'db', gap: 'no_report' } });
    const unknown = {
      critical_hosts: 0,
      reboot_hosts: 0,
      stale_hosts: 0,
      unreported_hosts: 2,
      findings_unknown_hosts: 2,
      reboot_unknown_hosts: 2,
    };
    expect(await list(api.admin.token)).toMatchObject([
      { name: 'Databases', hosts: 2, ...unknown },
      { name: 'Web', hosts: 0, findings_unknown_hosts: 0 },
    ]);
  });

  it('count a host that can no longer be reached and never reported in both numbers', async () => {
    const pulled = sshFleetOf(api);
    const hostId = await pulled.add();
    await api.database.db.prisma.sshTarget.update({ where: { hostId }, data: { firstPulledAt: new Date() } });
    for (let n = 0; n < 3; n += 1) await pulled.failPull(hostId);
    await create(api.admin.token, { name: 'Pulled', filter: { status: 'unreachable' } });
    expect(await list(api.admin.token)).toMatchObject([{ hosts: 1, stale_hosts: 1, unreported_hosts: 1 }]);
    for (const gap of ['report_outdated', 'no_report']) {
      const { body } = await api.admin.get(`/api/v1/hosts?status=unreachable&gap=${gap}`);
      expect(body).toMatchObject([{ id: hostId }]);
    }
  });

  it('are seen by their owner alone unless they are shared', async () => {
    const { body } = await create(viewer, { name: 'Mine', filter: { q: 'web' } });
    expect([await namesOf(viewer), await namesOf(api.admin.token)]).toEqual([['Mine'], []]);
    const path = `/api/v1/groups/${body.id}`;
    expect((await api.patch(path, { token: limited, json: { name: 'Taken' } })).status).toBe(404);
    expect((await api.delete(path, { token: limited })).status).toBe(404);
    expect((await api.patch(path, { token: viewer, json: { shared: true } })).status).toBe(403);
    expect((await create(viewer, { name: 'Ours', filter: {}, shared: true })).status).toBe(403);
    expect((await api.patch(path, { token: viewer, json: { name: 'Renamed' } })).status).toBe(200);
    expect(await namesOf(viewer)).toEqual(['Renamed']);
  });

  it('that are shared are changed by their owner or an admin', async () => {
    const { body } = await create(limited, { name: 'Web', filter: { tag: 'web' }, shared: true });
    const path = `/api/v1/groups/${body.id}`;
    expect((await api.patch(path, { token: viewer, json: { name: 'X' } })).status).toBe(403);
    expect((await api.delete(path, { token: viewer })).status).toBe(403);
    expect((await api.admin.patch(path, { json: { filter: { tag: 'db' } } })).status).toBe(200);
    expect((await api.delete(path, { token: limited })).status).toBe(204);
  });

  it('have distinct names among those that one sees', async () => {
    await create(api.admin.token, { name: 'Web', filter: {}, shared: true });
    expect((await create(viewer, { name: 'Web', filter: {} })).body.code).toBe('conflict');
  });

  it.each([
    [{ tga: 'x' }, '/filter'],
    [{ status: 'asleep' }, '/filter/status'],
    [{ retired: true }, '/filter'],
  ])('with the filter %j are refused at %s', async (filter, pointer) => {
    const { status, body } = await create(api.admin.token, { name: 'Wrong', filter });
    expect([status, body.errors[0].pointer]).toEqual([422, pointer]);
  });

  it('of a deleted user go, and shared ones stay', async () => {
    const { token } = await addUser(api, 'operator', { email: 'gone@example.org' });
    await create(token, { name: 'Own', filter: {} });
    await create(token, { name: 'Shared', filter: {}, shared: true });
    const users = (await api.admin.get('/api/v1/users')).body;
    const { id } = users.find(({ email }: { email: string }) => email === 'gone@example.org');
    await api.admin.delete(`/api/v1/users/${id}`);
    expect(await list(api.admin.token)).toEqual([expect.objectContaining({ name: 'Shared', owner: null })]);
    expect(await api.database.db.prisma.hostGroup.count()).toBe(1);
  });
});

describe('groups for an API key', () => {
  const keys = new Map<string, string>();
  const groups = { own: '', shared: '' };
  beforeEach(async () => {
    groups.own = (await create(api.admin.token, { name: 'Own', filter: { q: 'x' } })).body.id;
    groups.shared = (await create(api.admin.token, { name: 'Shared', filter: {}, shared: true })).body.id;
    if (keys.size > 0) return;
    for (const role of ['admin', 'operator', 'viewer']) {
      const json = { name: role, role, expires_at: new Date(Date.now() + 3_600_000).toISOString() };
      keys.set(role, (await api.admin.post('/api/v1/api-keys', { json })).body.key);
    }
  });
  const keyOf = (role: string) => keys.get(role) ?? '';
  const change = async (role: string, json: object, id = groups.shared) =>
    (await api.patch(`/api/v1/groups/${id}`, { token: keyOf(role), json })).status;
  const remove = async (role: string, id = groups.shared) =>
    (await api.delete(`/api/v1/groups/${id}`, { token: keyOf(role) })).status;

  it('are the shared ones, none of them its own', async () => {
    for (const role of keys.keys()) {
      expect(await list(keyOf(role))).toMatchObject([{ name: 'Shared', is_own: false }]);
      const ended = [
        await change(role, { name: 'taken', shared: true }, groups.own),
        await remove(role, groups.own),
      ];
      expect([role, ended]).toEqual([role, [404, 404]]);
    }
    expect(await namesOf(api.admin.token)).toEqual(['Own', 'Shared']);
  });

  it('are changed and deleted only by keys of operators, and do not become private', async () => {
    expect([await change('viewer', { name: 'X' }), await remove('viewer')]).toEqual([403, 403]);
    expect([await change('operator', { name: 'X' }), await change('admin', { name: 'Y' })]).toEqual([
      200, 200,
    ]);
    expect(await change('admin', { shared: false })).toBe(403);
    expect((await create(keyOf('operator'), { name: 'mine', filter: {} })).status).toBe(403);
    expect((await create(keyOf('viewer'), { name: 'x', filter: {}, shared: true })).status).toBe(403);
    // It tells no name of a private one.
    const made = await create(keyOf('operator'), { name: 'Own', filter: {}, shared: true });
    expect([made.status, await remove('operator', made.body.id)]).toEqual([201, 204]);
  });
});
