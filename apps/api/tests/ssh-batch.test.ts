import { apiPerFile } from './api-under-test.ts';
import { addUser } from './users.ts';

const api = apiPerFile();
afterEach(() => api.database.db.prisma.host.deleteMany());

const add = (json: object, by = api.admin.token) => api.post('/api/v1/hosts/ssh/batch', { token: by, json });
const row = (n: number, rest: object = {}) => ({
  display_name: `Web ${n}`,
  hostname: `web-${n}.example.org`,
  ssh_user: 'plimsoll',
  ...rest,
});
const rows = (count: number) => Array.from({ length: count }, (_, n) => row(n + 1));
const hosts = () => api.database.db.prisma.host.count();

describe('many hosts to pull', () => {
  it('are added together: thirty with one line for all', async () => {
    const { status, body } = await add({ hosts: rows(30) });
    expect([status, body.hosts.length, body.skipped]).toEqual([201, 30, []]);
    expect(body.shared_authorized_keys_line).toMatch(/^restrict,command=.* ssh-ed25519 /);
    for (const { authorized_keys_line } of body.hosts)
      expect(authorized_keys_line).toBe(body.shared_authorized_keys_line);
    const [listed] = (await api.admin.get(`/api/v1/hosts?q=web-30`)).body;
    expect(listed).toMatchObject({
      id: body.hosts[29].id,
      onboarding_mode: 'ssh',
      approval_status: 'approved',
    });
    const events = await api.admin.get('/api/v1/audit-events?action=host.created');
    expect(events.headers['x-total-count']).toBe('30');
  });

  it('are not added if one is not valid; every fault is said at its row', async () => {
    const { status, body } = await add({
      hosts: [row(1), row(2, { hostname: 'not a name' }), row(3, { port: 0 }), { hostname: 'x' }],
    });
    expect(status).toBe(422);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/hosts/1/hostname',
      '/hosts/2/port',
      '/hosts/3/display_name',
      '/hosts/3/ssh_user',
    ]);
    expect(await hosts()).toBe(0);
  });

  it('are refused if two have one login, in the list or already', async () => {
    await add({ hosts: [row(1)] });
    const twice = [
      row(2),
      row(3),
      row(4, { hostname: 'WEB-2.example.org' }),
      row(1, { display_name: 'Again' }),
    ];
    const { status, body } = await add({ hosts: twice });
    expect([status, body.errors]).toEqual([
      422,
      [
        {
          pointer: '/hosts/2/hostname',
          detail: 'has the address, port and user of host 1 of this list',
        },
        {
          pointer: '/hosts/3/hostname',
          detail: 'is pulled already, with this port and user, as "Web 1"',
        },
      ],
    ]);
    expect((await add({ hosts: [row(1, { port: 2222 }), row(1, { ssh_user: 'other' })] })).status).toBe(201);
  });

  it('that are there already are skipped, if asked for, and named', async () => {
    const first = await add({ hosts: [row(1)] });
    const { status, body } = await add({ hosts: [row(1), row(2)], existing: 'skip' });
    expect(status).toBe(201);
    expect(body.skipped).toEqual([{ index: 0, host_id: first.body.hosts[0].id, display_name: 'Web 1' }]);
    expect(body.hosts.map(({ index }: { index: number }) => index)).toEqual([1]);
  });

  it('are only checked with check_only', async () => {
    const { status, body } = await add({ hosts: rows(3), check_only: true });
    expect([status, body.hosts, await hosts()]).toEqual([200, [], 0]);
  });

  it('of a limited operator get key pairs of their own, and hosts of others are not told', async () => {
    const { token: own } = await addUser(api, 'operator', { tags: ['db', 'web'] });
    await add({ hosts: [row(1, { tags: ['mail'] })] });
    const untagged = await add({ hosts: [row(1, { tags: ['web'] }), row(2)] }, own);
    expect([untagged.status, untagged.body.errors[0].pointer]).toEqual([422, '/hosts/1/tags']);
    const { status, body } = await add({ hosts: [row(1, { tags: ['web'] }), row(2, { tags: ['db'] })] }, own);
    expect([status, body.shared_authorized_keys_line]).toEqual([201, null]);
    expect(
      new Set(body.hosts.map((host: { authorized_keys_line: string }) => host.authorized_keys_line)).size,
    ).toBe(2);
  });

  it('are at most 200', async () => {
    expect((await add({ hosts: rows(201) })).status).toBe(422);
    expect((await add({ hosts: rows(200), check_only: true })).status).toBe(200);
  });
});
