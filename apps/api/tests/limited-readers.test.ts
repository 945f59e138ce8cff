import { randomUUID } from 'node:crypto';
import { waitFor } from '@plimsoll/testing';
import { type AdvisoryFleet, startAdvisoryFleet } from './advisory-fleet.ts';
import type { ApiUnderTest } from './api-under-test.ts';
import { type EventReader, openEvents } from './event-reader.ts';
import { addUser } from './users.ts';

let fleet: AdvisoryFleet;
let api: ApiUnderTest;
let reader: string;
const idOf = (name: string): string => fleet.hosts.get(name)?.id ?? '';

/** Starts a fleet, with a reader who is limited to `db` and `web`. */
async function start(): Promise<void> {
  fleet = await startAdvisoryFleet();
  api = fleet.api;
  reader = await addReader(['db', 'web'], 'operator');
  await tagAll();
}
const stop = () => api.stop();

const addReader = async (tags: readonly string[], role = 'viewer') =>
  (await addUser(api, role, { tags })).token;
const setTags = async (name: string, tags: readonly string[], token = api.admin.token) =>
  api.patch(`/api/v1/hosts/${idOf(name)}`, { token, json: { tags } });

/** The tags of each host when a test begins. */
const tagsOf: Readonly<Record<string, readonly string[]>> = {
  alpha: ['db', 'web'],
  bravo: ['web'],
  charlie: ['mail'],
  delta: ['web'],
  echo: ['db'],
  foxtrot: [],
  golf: [],
  hotel: ['mail', 'web'],
};

async function tagAll(): Promise<void> {
  for (const [name, tags] of Object.entries(tagsOf)) expect((await setTags(name, tags)).status).toBe(200);
}

/** Deletes what a test added to the fleet. */
async function dropAdded(): Promise<void> {
  const known = new Set([...fleet.hosts.values()].map(({ id }) => id));
  const { rows } = await api.database.db.pool.query('SELECT id FROM hosts');
  for (const { id } of rows.filter((row) => !known.has(row.id))) {
    expect((await api.admin.delete(`/api/v1/hosts/${id}`)).status).toBe(204);
  }
}

/** Everything about the whole fleet, without the time of the answer. */
const fleetPaths = [
  '/hosts?sort=created_at',
  '/hosts?severity=low',
  '/hosts.csv',
  '/hosts?retired=true',
  '/fleet/summary',
  '/advisories?affected=true&sort=-affected_hosts',
  '/advisories?include_hosts=true',
  '/advisories/DSA-5724-1',
  '/advisories/DSA-5724-1/hosts',
  '/advisories/DSA-5724-1/hosts.csv',
  '/advisories/DEBIAN-CVE-2024-9999/hosts',
  '/advisories/DSA-5724-1/unknown-hosts',
  '/advisories/DEBIAN-CVE-2024-9999/unknown-hosts?limit=1',
  '/cves/CVE-2024-6387',
  '/cves/CVE-2024-6387/hosts',
  '/cves/CVE-2024-6387/hosts.csv',
  '/cves/CVE-2024-9999/hosts',
  '/cves/CVE-2024-6387/exposures',
  '/cves/CVE-2024-6387/progress',
  '/fleet/time-to-patch?from=2026-01-01T00:00:00Z',
  '/hosts/odd-ones-out',
  '/packages?name=openssh-server',
  '/packages?name=bash&version_lt=9',
  '/packages.csv?name=bash',
  '/package-names?q=s',
  '/search?q=a',
  '/repositories',
  '/feeds',
  '/findings?group_by=advisory',
  '/findings?group_by=cve&severity=moderate',
  '/findings?group_by=package',
  '/findings?group_by=host',
  '/findings.csv',
];

async function everything(token: string): Promise<readonly unknown[]> {
  const answers = [];
  for (const path of fleetPaths) {
    const { status, text, headers } = await api.get(`/api/v1${path}`, { token });
    expect([path, status]).toEqual([path, 200]);
    const known = text.replace(/"(as_of|to)":"[^"]*"/, '');
    answers.push({ path, known, total: headers['x-total-count'] ?? null });
  }
  const { body } = await api.post('/api/v1/cves/lookup', { token, json: { ids: ['CVE-2024-6387'] } });
  const plan = (await api.post('/api/v1/plans', { token, json: { filter: {} } })).body;
  return [...answers, body, { ...plan, made_at: null }];
}

describe('readers limited to tags, when the other hosts are deleted', () => {
  beforeAll(start);
  afterAll(stop);

  it('get the answers that everybody gets when no other host exists', async () => {
    const own = await everything(reader);
    expect(own).not.toEqual(await everything(api.admin.token));
    for (const name of ['charlie', 'foxtrot', 'golf']) {
      expect((await api.admin.delete(`/api/v1/hosts/${idOf(name)}`)).status).toBe(204);
    }
    await waitFor('caches of a moment to end', async () => {
      const all = await everything(api.admin.token);
      return JSON.stringify(all) === JSON.stringify(own);
    });
    expect(await everything(reader)).toEqual(own);
  });
});

describe('readers limited to tags', () => {
  beforeAll(start);
  beforeEach(tagAll);
  afterEach(dropAdded);
  afterAll(stop);

  it('count a host with several of their tags once', async () => {
    const { body } = await api.get('/api/v1/fleet/summary', { token: reader });
    expect([body.hosts, body.pending_approvals]).toEqual([4, 1]);
    const trend = await api.get('/api/v1/fleet/trend?days=2', { token: reader });
    expect(trend.body.map(({ totals }: { totals: { hosts: number } | null }) => totals?.hosts)).toEqual([
      undefined,
      4,
    ]);
  });

  it('have answers of their own, although others ask the same at the same time', async () => {
    const other = await addReader(['mail']);
    const path = '/api/v1/advisories?affected=true';
    const hostsIn = async (token: string) => (await api.get('/api/v1/fleet/summary', { token })).body.hosts;
    const advisoriesFor = async (token: string) => (await api.get(path, { token })).headers['x-total-count'];
    const alone = [await advisoriesFor(reader), await advisoriesFor(other)];
    const [a, b, c, d] = await Promise.all([
      hostsIn(reader),
      hostsIn(other),
      advisoriesFor(reader),
      advisoriesFor(other),
    ]);
    expect([a, b, c, d]).toEqual([4, 2, ...alone]);
  });

  it('see nothing of a host with the same machine id that is not theirs', async () => {
    await api.database.db.pool.query('UPDATE hosts SET machine_id_conflict_with = $1 WHERE id = ANY($2)', [
      idOf('golf'),
      [idOf('alpha')],
    ]);
    const conflictFor = async (token: string, path: string) =>
      [(await api.get(`/api/v1/hosts${path}`, { token })).body]
        .flat()
        .map((host) => host.machine_id_conflict_with);
    expect(await conflictFor(api.admin.token, `/${idOf('alpha')}`)).toEqual([idOf('golf')]);
    expect(await conflictFor(reader, `/${idOf('alpha')}`)).toEqual([null]);
    await waitFor('the conflict to be in lists', async () =>
      (await conflictFor(api.admin.token, '?q=alpha')).includes(idOf('golf')),
    );
    expect(await conflictFor(reader, '?q=alpha')).toEqual([null]);
    expect(await conflictFor(api.admin.token, '?q=alpha&machine_id_conflict=true')).toEqual([idOf('golf')]);
    expect(await conflictFor(api.admin.token, '?q=alpha&machine_id_conflict=false')).toEqual([]);
    expect(await conflictFor(reader, '?q=alpha&machine_id_conflict=true')).toEqual([]);
    expect(await conflictFor(reader, '?q=alpha&machine_id_conflict=false')).toEqual([null]);
  });

  describe('as operators', () => {
    const add = (json: object, token = reader) =>
      api.post('/api/v1/hosts/manual', { token, json: { display_name: 'New', hostname: 'new', ...json } });

    it('create hosts with at least one of their tags', async () => {
      expect(await add({})).toMatchObject({ status: 422, body: { errors: [{ pointer: '/tags' }] } });
      expect((await add({ tags: ['mail'] })).status).toBe(422);
      expect(await add({ tags: ['web', 'mail'] })).toMatchObject({
        status: 201,
        body: { tags: ['web', 'mail'] },
      });
      const pulled = { display_name: 'New', hostname: 'new.example.org', ssh_user: 'plimsoll' };
      const addPulled = (json: object) =>
        api.post('/api/v1/hosts/ssh', { token: reader, json: { ...pulled, ...json } });
      expect((await addPulled({})).status).toBe(422);
      expect(await addPulled({ tags: ['db'] })).toMatchObject({
        status: 201,
        body: { host: { tags: ['db'] } },
      });
    });

    it('add pulled hosts with an own key pair: the shared one opens hosts of others', async () => {
      const pulled = { display_name: 'New', hostname: 'new.example.org', ssh_user: 'plimsoll', tags: ['db'] };
      const json = { ...pulled, unique_key_pair: false };
      const shared = await api.admin.post('/api/v1/hosts/ssh', { json });
      const { status, body } = await api.post('/api/v1/hosts/ssh', { token: reader, json });
      expect(status).toBe(201);
      expect(body.public_key_fingerprint).not.toBe(shared.body.public_key_fingerprint);
      const { ssh } = (await fleet.get(`/hosts/${body.host.id}`)).body;
      expect(ssh).toMatchObject({
        unique_key_pair: true,
        public_key_fingerprint: body.public_key_fingerprint,
      });
    });

    it('with a single tag need not name it', async () => {
      const token = await addReader(['web'], 'operator');
      expect(await add({ tags: ['x'] }, token)).toMatchObject({ status: 201, body: { tags: ['x', 'web'] } });
      const issued = await api.post('/api/v1/registration-tokens', { token, json: { name: 'new' } });
      expect(issued).toMatchObject({ status: 201, body: { tags: ['web'] } });
    });

    it("cannot take a host's last such tag away", async () => {
      expect((await setTags('alpha', ['db', 'mail'], reader)).status).toBe(200);
      for (const tags of [[], ['mail']]) {
        expect(await setTags('alpha', tags, reader)).toMatchObject({
          status: 422,
          body: { errors: [{ pointer: '/tags' }] },
        });
      }
      expect((await fleet.get(`/hosts/${idOf('alpha')}`)).body.tags).toEqual(['db', 'mail']);
    });

    it('issue, see and revoke registration tokens of their hosts alone', async () => {
      const issue = (json: object, token = reader) =>
        api.post('/api/v1/registration-tokens', { token, json: { name: 'new', ...json } });
      expect((await issue({})).status).toBe(422);
      expect((await issue({ host_id: idOf('golf') })).status).toBe(404);
      const list = async (): Promise<string[]> =>
        (await api.get('/api/v1/registration-tokens', { token: reader })).body.map(
          ({ id }: { id: string }) => id,
        );
      const before = await list();
      const [foreign, shared] = [
        await issue({ tags: ['mail'] }, api.admin.token),
        await issue({ tags: ['db', 'x'] }, api.admin.token),
      ];
      const own = await issue({ host_id: idOf('alpha') });
      expect((await list()).filter((id) => !before.includes(id))).toEqual(
        [own.body.id, shared.body.id].reverse().sort().reverse(),
      );
      const revoke = async (id: string) =>
        (await api.delete(`/api/v1/registration-tokens/${id}`, { token: reader })).status;
      expect([await revoke(foreign.body.id), await revoke(shared.body.id)]).toEqual([404, 204]);
    });

    it('enrol hosts that get the tags of their registration token', async () => {
      const issued = await api.post('/api/v1/registration-tokens', {
        token: reader,
        json: { name: 'new', tags: ['db', 'rack-7'] },
      });
      const json = { registration_token: issued.body.token, hostname: 'new.example.org', machine_id: 'm' };
      const { body } = await api.post('/api/v1/agent/register', { json });
      const host = await api.get(`/api/v1/hosts/${body.host_id}`, { token: reader });
      expect(host.body.tags).toEqual(['db', 'rack-7']);
    });
  });

  describe('on the event stream', () => {
    const idsIn = (events: EventReader, kind: 'created' | 'changed' | 'deleted') =>
      events.events.flatMap((event) => (event.name === 'host' ? event.data[kind] : []));
    const addHost = async (tags: readonly string[]): Promise<string> => {
      const json = { display_name: 'New', hostname: 'new', tags };
      return (await api.admin.post('/api/v1/hosts/manual', { json })).body.id;
    };
    const rename = (name: string) =>
      api.admin.patch(`/api/v1/hosts/${idOf(name)}`, { json: { display_name: `${name} ${randomUUID()}` } });

    it('read of changes of their hosts, and of nothing else', async () => {
      const [foreign, shared] = [await addHost(['mail']), await addHost(['mail', 'web'])];
      const [own, all] = [await openEvents(api.url, reader), await openEvents(api.url, api.admin.token)];
      await rename('golf');
      await all.find(({ name, data }) => name === 'host' && data.changed.includes(idOf('golf')));
      await rename('alpha');
      await own.find(({ name, data }) => name === 'host' && data.changed.includes(idOf('alpha')));
      await own.find(({ name }) => name === 'fleet');
      for (const [id, events] of [
        [foreign, all],
        [shared, own],
      ] as const) {
        await api.admin.delete(`/api/v1/hosts/${id}`);
        await events.find(({ name, data }) => name === 'host' && data.deleted.includes(id));
      }
      for (const id of [idOf('golf'), foreign]) expect(own.text()).not.toContain(id);
      own.leave();
      all.leave();
    });

    it('read of hosts that become theirs as created, and of hosts that they lose as deleted', async () => {
      const own = await openEvents(api.url, reader);
      await setTags('golf', ['web']);
      await own.find(({ name, data }) => name === 'host' && data.created.includes(idOf('golf')));
      await setTags('golf', ['mail']);
      await own.find(({ name, data }) => name === 'host' && data.deleted.includes(idOf('golf')));
      expect(idsIn(own, 'changed')).not.toContain(idOf('golf'));
      own.leave();
    });

    it('are told to fetch everything when they come back after something', async () => {
      const first = await openEvents(api.url, reader);
      await rename('alpha');
      await first.find(({ name, data }) => name === 'host' && data.changed.includes(idOf('alpha')));
      const id = first.lastId();
      first.leave();
      await rename('golf');
      const all = await openEvents(api.url, api.admin.token);
      await rename('bravo');
      await all.find(({ name, data }) => name === 'host' && data.changed.includes(idOf('bravo')));
      const again = await openEvents(api.url, reader, { 'Last-Event-ID': id });
      await again.find(({ name }) => name === 'resync');
      expect(again.text()).not.toContain(idOf('golf'));
      again.leave();
      all.leave();
    });

    it('stay as they are until the tags of the reader change, and end then', async () => {
      const { id, token } = await addUser(api, 'viewer', { tags: ['db', 'web'] });
      const own = await openEvents(api.url, token);
      await api.admin.patch(`/api/v1/users/${id}`, { json: { name: 'Otto' } });
      expect(own.isOver()).toBe(false);
      await api.admin.patch(`/api/v1/users/${id}`, { json: { tags: ['mail'] } });
      await own.untilOver();
      expect((await api.get(`/api/v1/hosts/${idOf('alpha')}`, { token })).status).toBe(404);
      expect((await api.get(`/api/v1/hosts/${idOf('charlie')}`, { token })).status).toBe(200);
    });
  });
});
