import { once } from 'node:events';
import http from 'node:http';
import { bitsOfGrounds } from '@plimsoll/model';
import { waitFor } from '@plimsoll/testing';
import { apiPerFile, enrol } from './api-under-test.ts';
import { readPages, totalsOf } from './checked-client.ts';

const api = apiPerFile();

const get = (path: string) => api.admin.get(path);

interface Named {
  readonly id: string;
  readonly display_name: string;
}
const namesOf = (hosts: readonly Named[]) => hosts.map(({ display_name }) => display_name);

async function followPages(path: string): Promise<{ pages: Named[][]; totals: readonly string[] }> {
  const pages = await readPages(api.admin, path);
  return { pages: pages.map(({ body }) => body), totals: totalsOf(pages) };
}

describe('the list of hosts', () => {
  const tagged = new Map<string, string>();

  beforeAll(async () => {
    for (const [n, hostname] of ['delta', 'alpha', 'charlie', 'bravo', 'echo'].entries()) {
      const host = await enrol(api, { hostname: `${hostname}.example.org`, autoApprove: n % 2 === 0 });
      const json = { display_name: hostname, tags: n < 2 ? ['web', '100%'] : ['db'] };
      expect((await api.admin.patch(`/api/v1/hosts/${host.id}`, { json })).status).toBe(200);
      tagged.set(hostname, host.id);
    }
    await api.database.db.pool.query(
      `UPDATE host_state SET critical = 2, reboot_state = 'needed', grounds = $2, judged_until = '1970-01-01' WHERE host_id = $1`,
      [tagged.get('bravo'), bitsOfGrounds(['open_finding', 'urgent_open', 'urgent_installable'])],
    );
    await api.database.db.pool.query('UPDATE host_state SET important = 1 WHERE host_id = $1', [
      tagged.get('echo'),
    ]);
  });

  it('has every host in one array without limit, by display name', async () => {
    const answer = await get('/api/v1/hosts');
    expect(namesOf(answer.body)).toEqual(['alpha', 'bravo', 'charlie', 'delta', 'echo']);
    expect(answer.headers['x-total-count']).toBe('5');
    expect(answer.headers['link']).toBeUndefined();
  });

  it.each([
    ['q=ALPHA', ['alpha']],
    ['q=example.org', ['alpha', 'bravo', 'charlie', 'delta', 'echo']],
    ['q=192.0.2', ['alpha', 'bravo', 'charlie', 'delta', 'echo']],
    ['q=%25', []],
    ['q=_', []],
    ['q=%27', []],
    ['tag=web', ['alpha', 'delta']],
    ['tag=100%25', ['alpha', 'delta']],
    ['tag=we', []],
    ['os_family=apt', ['alpha', 'bravo', 'charlie', 'delta', 'echo']],
    ['os_family=rpm', []],
    ['status=new', ['alpha', 'bravo', 'charlie', 'delta', 'echo']],
    ['status=active', []],
    ['approval_status=pending', ['alpha', 'bravo']],
    ['onboarding_mode=agent&approval_status=approved', ['charlie', 'delta', 'echo']],
    ['onboarding_mode=ssh', []],
    ['severity=critical', ['bravo']],
    ['severity=important', ['bravo', 'echo']],
    ['severity=low', ['bravo', 'echo']],
    ['needs_reboot=true', ['bravo']],
    ['needs_reboot=0', ['alpha', 'charlie', 'delta', 'echo']],
    ['overall_action=update_urgent', ['bravo']],
    ['sort=-display_name', ['echo', 'delta', 'charlie', 'bravo', 'alpha']],
    ['sort=-critical_count&severity=important', ['bravo', 'echo']],
    ['sort=created_at', ['delta', 'alpha', 'charlie', 'bravo', 'echo']],
    ['sort=hostname', ['alpha', 'bravo', 'charlie', 'delta', 'echo']],
  ])('with %s', async (query, names) => {
    const answer = await get(`/api/v1/hosts?${query}`);
    expect(namesOf(answer.body)).toEqual(names);
    expect(answer.headers['x-total-count']).toBe(String(names.length));
  });

  it.each([
    'q=',
    'q=%00',
    'q=a&q=b',
    'tag=',
    'os_family=deb',
    'status=',
    'severity=worst',
    'limit=99999999999999999999',
    'limit=1&limit=2',
    'offset=1',
    'offset=-1&limit=1',
    'offset=1000001&limit=1',
    'cursor=%00',
    `limit=1&cursor=${Buffer.from('{"c":"displayName","d":false,"v":5,"i":"019a0000-0000-7000-8000-000000000000"}').toString('base64url')}`,
    `limit=1&cursor=${Buffer.from('{"c":"critical","d":false,"v":1,"i":"019a0000-0000-7000-8000-000000000000"}').toString('base64url')}`,
    `limit=1&sort=created_at&cursor=${Buffer.from('{"c":"createdAt","d":false,"v":"x","i":"019a0000-0000-7000-8000-000000000000"}').toString('base64url')}`,
  ])('refuses ?%s', async (query) => {
    const answer = await get(`/api/v1/hosts?${query}`);
    const name = query.includes('cursor=') ? 'cursor' : query.split('=')[0];
    expect([answer.status, answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      [`/${name}`],
    ]);
  });

  it('reports all errors of a query at once', async () => {
    const answer = await get('/api/v1/hosts?limit=0&status=x&y=1');
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      '/limit',
      '/status',
      '/y',
    ]);
  });

  it.each([
    'display_name',
    '-display_name',
    'created_at',
    '-last_seen_at',
    'critical_count',
    '-overall_action',
    'os_name',
  ])('comes page by page in the same order as at once, sorted by %s', async (sort) => {
    const { pages, totals } = await followPages(`/api/v1/hosts?limit=2&sort=${sort}`);
    expect(pages.map((page) => page.length)).toEqual([2, 2, 1]);
    expect(totals).toEqual(['5']);
    expect(pages.flat()).toEqual((await get(`/api/v1/hosts?sort=${sort}`)).body);
  });

  it('can be read from any place, and the next link skips nothing', async () => {
    const whole = namesOf((await get('/api/v1/hosts')).body);
    const { pages, totals } = await followPages('/api/v1/hosts?limit=2&offset=1');
    expect(pages.map(namesOf)).toEqual([whole.slice(1, 3), whole.slice(3)]);
    expect(totals).toEqual(['5']);
    expect((await get('/api/v1/hosts?limit=2&offset=5')).body).toEqual([]);
  });

  it('accepts a place or a cursor, not both', async () => {
    const next = (await get('/api/v1/hosts?limit=1')).headers['link'] ?? '';
    const cursor = /cursor=([\w-]+)/.exec(next)?.[1];
    const answer = await get(`/api/v1/hosts?limit=1&offset=1&cursor=${cursor}`);
    expect([answer.status, answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)]).toEqual([
      422,
      ['/offset'],
    ]);
  });

  it('has no next page after a full last one', async () => {
    const { pages } = await followPages('/api/v1/hosts?limit=5');
    expect(pages.map((page) => page.length)).toEqual([5]);
  });

  it('keeps its filters from page to page', async () => {
    const { pages } = await followPages('/api/v1/hosts?limit=1&tag=100%25');
    expect(pages.map(namesOf)).toEqual([['alpha'], ['delta']]);
  });
});

describe('one host', () => {
  it('is renamed and tagged, each tag once', async () => {
    const { id } = await enrol(api, { hostname: 'rename-me' });
    const answer = await api.admin.patch(`/api/v1/hosts/${id}`, {
      json: { display_name: 'Größe 😀', tags: ['b', 'a', 'b'] },
    });
    expect(answer.body).toMatchObject({
      id,
      display_name: 'Größe 😀',
      tags: ['b', 'a'],
      hostname: 'rename-me',
    });
    expect((await api.admin.patch(`/api/v1/hosts/${id}`, { json: {} })).body).toEqual(answer.body);
    expect((await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: [] } })).body.tags).toEqual([]);
  });

  it.each([
    [{ display_name: '' }, '/display_name'],
    [{ display_name: '   ' }, '/display_name'],
    [{ display_name: 'x'.repeat(201) }, '/display_name'],
    [{ display_name: 'a\nb' }, '/display_name'],
    [{ display_name: null }, '/display_name'],
    [{ tags: 'web' }, '/tags'],
    [{ tags: ['ok', ''] }, '/tags/1'],
    [{ tags: Array(51).fill('x') }, '/tags'],
    [{ hostname: 'other' }, '/hostname'],
    [{ ssh_user: '-l' }, '/ssh_user'],
    [{ pull_paused: 'yes' }, '/pull_paused'],
    [{ approval_status: 'approved' }, '/approval_status'],
    [null, ''],
    ['x', ''],
  ])('refuses the change %j', async (json, pointer) => {
    const { id } = await enrol(api, { hostname: 'unchanged' });
    const answer = await api.admin.patch(`/api/v1/hosts/${id}`, { json });
    expect([answer.status, answer.body.errors.map((error: { pointer: string }) => error.pointer)]).toEqual([
      422,
      [pointer],
    ]);
  });

  it('accepts a display name of any 200 characters', async () => {
    const { id } = await enrol(api, { hostname: 'long' });
    const json = { display_name: '😀'.repeat(200) };
    expect((await api.admin.patch(`/api/v1/hosts/${id}`, { json })).status).toBe(200);
  });

  it('is approved by any number of calls, in sequence and at once', async () => {
    const { id } = await enrol(api, { hostname: 'pending', autoApprove: false });
    const approve = () => api.admin.post(`/api/v1/hosts/${id}/approve`);
    const answers = [...(await Promise.all([approve(), approve(), approve()])), await approve()];
    for (const answer of answers)
      expect([answer.status, answer.body.approval_status]).toEqual([200, 'approved']);
  });

  it('is approved whatever the body', async () => {
    const { id } = await enrol(api, { hostname: 'pending-2', autoApprove: false });
    expect((await api.admin.post(`/api/v1/hosts/${id}/approve`, { json: {} })).status).toBe(200);
  });

  it('is deleted with its token and all its data, once', async () => {
    const host = await enrol(api, { hostname: 'gone' });
    const remove = () => api.admin.delete(`/api/v1/hosts/${host.id}`);
    const answers = await Promise.all([remove(), remove(), remove()]);
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404]);
    expect((await get(`/api/v1/hosts/${host.id}`)).status).toBe(404);
    expect((await api.get('/api/v1/agent/config', { token: host.token })).status).toBe(401);
  });

  it('without an upload has no snapshot, uploads or packages, and an unknown kernel posture', async () => {
    const { id } = await enrol(api, { hostname: 'silent' });
    expect((await get(`/api/v1/hosts/${id}/snapshot`)).body.code).toBe('no_snapshot');
    for (const list of ['snapshots', 'uploads', 'packages', 'packages/vulnerable', 'packages/upgradable']) {
      expect((await get(`/api/v1/hosts/${id}/${list}`)).body).toEqual([]);
    }
    expect((await get(`/api/v1/hosts/${id}/kernel-posture`)).body).toMatchObject({
      running_is_latest: null,
      reboot_state: 'unknown',
      restart_state: 'unknown',
    });
  });

  it.each([
    'packages/vulnerable?severity=bad',
    'packages/vulnerable?include_unfixed=yes',
    'packages/vulnerable?at=now',
    'packages/upgradable?security=1x',
    'packages?q=',
  ])('refuses %s', async (path) => {
    const { id } = await enrol(api, { hostname: 'silent-2' });
    expect((await get(`/api/v1/hosts/${id}/${path}`)).body.code).toBe('validation_failed');
  });
});

describe('twenty thousand hosts', () => {
  const hosts = 20_000;

  beforeAll(async () => {
    const { pool } = api.database.db;
    await pool.query(
      `INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
       SELECT gen_random_uuid(), 'agent', 'approved', 'fleet-' || n, 'fleet-' || n FROM generate_series(1, $1) n`,
      [hosts],
    );
    await pool.query(`INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds)
                      SELECT id, now(), 93600 FROM hosts WHERE display_name LIKE 'fleet-%'`);
    await pool.query(
      `INSERT INTO host_state (host_id) SELECT id FROM hosts WHERE display_name LIKE 'fleet-%'`,
    );
  });

  it('come as one JSON array, each of them once', async () => {
    const answer = await get('/api/v1/hosts?q=fleet-');
    expect(answer.body).toHaveLength(hosts);
    expect(new Set(answer.body.map(({ id }: Named) => id)).size).toBe(hosts);
    expect(answer.headers['transfer-encoding']).toBe('chunked');
  });

  it('are not read further after the client disconnected', async () => {
    const before = api.log.lines.length;
    const sending = http.get(`${api.url}/api/v1/hosts`, {
      headers: { Authorization: `Bearer ${api.admin.token}` },
    });
    const [response] = await once(sending, 'response');
    await once(response, 'data');
    sending.destroy();
    await waitFor('the aborted request in the log', () =>
      api.log.lines.slice(before).some(({ msg }) => msg === 'request aborted'),
    );
    expect(api.log.lines.slice(before).filter(({ level }) => level === 'error')).toEqual([]);
    expect((await get('/api/v1/hosts?limit=1')).status).toBe(200);
  });

  it('wait for a slow client without filling the memory', async () => {
    const sending = http.get(`${api.url}/api/v1/hosts`, {
      headers: { Authorization: `Bearer ${api.admin.token}` },
    });
    const [response]: http.IncomingMessage[] = await once(sending, 'response');
    const pieces: Buffer[] = [];
    for await (const piece of response as AsyncIterable<Buffer>) {
      pieces.push(piece);
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(JSON.parse(Buffer.concat(pieces).toString()).length).toBeGreaterThanOrEqual(hosts);
  });

  it('break off if the database fails midway, so that a part is not taken for the whole', async () => {
    const sending = http.get(`${api.url}/api/v1/hosts`, {
      headers: { Authorization: `Bearer ${api.admin.token}` },
    });
    const [response]: http.IncomingMessage[] = await once(sending, 'response');
    response?.pause();
    await api.database.db.pool.query('ALTER TABLE releases RENAME TO releases_away');
    const ended = once(response as http.IncomingMessage, 'error');
    response?.resume();
    await expect(ended).resolves.toEqual([expect.objectContaining({ code: 'ECONNRESET' })]);
    await api.database.db.pool.query('ALTER TABLE releases_away RENAME TO releases');
  });
});
