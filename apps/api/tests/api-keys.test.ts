import { apiPerTest, startApi } from './api-under-test.ts';
import { readPages } from './checked-client.ts';
import { openEvents } from './event-reader.ts';
import { addUser, userPassword } from './users.ts';

const dayMs = 24 * 3600 * 1000;

const api = apiPerTest(() => startApi({ trustedProxies: ['loopback'] }));

const sql = async (text: string, values: readonly unknown[] = []) =>
  (await api.database.db.pool.query(text, [...values])).rows;
const inDays = (days: number) => new Date(Date.now() + days * dayMs).toISOString();
const draft = (fields: object = {}) => ({
  name: 'backup',
  role: 'viewer',
  expires_at: inDays(30),
  ...fields,
});
const ask = (token: string, fields: object = {}) =>
  api.post('/api/v1/api-keys', { token, json: draft(fields) });
const statusOf = async (key: string, path = '/api/v1/hosts') => (await api.get(path, { token: key })).status;

async function issue(token: string, fields: object = {}): Promise<{ id: string; key: string }> {
  const { status, body } = await ask(token, fields);
  expect(status).toBe(201);
  return body;
}

it('act for their user, are shown once, and are stored as a hash alone', async () => {
  const { id, key } = await issue(api.admin.token, { role: 'admin' });
  expect(key).toMatch(/^plk_[\w-]{43}$/);
  expect(await statusOf(key)).toBe(200);
  const listed = await api.admin.get('/api/v1/api-keys');
  expect(listed.body).toMatchObject([{ id, name: 'backup', role: 'admin', tags: null, networks: [] }]);
  expect(listed.headers['x-total-count']).toBe('1');
  expect(listed.text).not.toContain(key.slice(4));
  expect(JSON.stringify(await sql('SELECT * FROM api_keys'))).not.toContain(key.slice(4));
});

it('are named in the audit log', async () => {
  const { id, key } = await issue(api.admin.token, { role: 'operator', name: 'ansible' });
  await api.post('/api/v1/hosts/manual', { json: { display_name: 'a', hostname: 'a' }, token: key });
  await api.admin.delete(`/api/v1/api-keys/${id}`);
  const { body } = await api.admin.get('/api/v1/audit-events');
  expect(body.slice(0, 3)).toMatchObject([
    { action: 'api_key.ended', actor_kind: 'user', target_id: id, target_name: 'ansible' },
    {
      action: 'host.created',
      actor_kind: 'api_key',
      actor_id: id,
      actor_name: 'ansible (admin@example.org)',
    },
    { action: 'api_key.created', target_kind: 'api_key', target_id: id },
  ]);
});

it('are not accepted in a URL, nor where a host token is asked for', async () => {
  const { key } = await issue(api.admin.token);
  expect((await api.admin.get(`/api/v1/hosts?q=${key}`)).status).toBe(401);
  expect(await statusOf(key, '/api/v1/agent/config')).toBe(401);
});

it('end when they expire or are ended, and with their user', async () => {
  const vera = await addUser(api, 'viewer');
  const [short, ended, kept] = [
    await issue(vera.token, { expires_at: inDays(1) }),
    await issue(vera.token),
    await issue(vera.token, { expires_at: inDays(400) }),
  ];
  expect((await api.delete(`/api/v1/api-keys/${ended.id}`, { token: vera.token })).status).toBe(204);
  expect((await api.delete(`/api/v1/api-keys/${ended.id}`, { token: vera.token })).status).toBe(404);
  expect(await statusOf(ended.key)).toBe(401);
  await sql("UPDATE api_keys SET expires_at = now() - interval '1 second' WHERE id = $1", [short.id]);
  expect(await statusOf(short.key)).toBe(401);
  expect(await statusOf(kept.key)).toBe(200);
  await api.admin.patch(`/api/v1/users/${vera.id}`, { json: { disabled: true } });
  expect(await statusOf(kept.key)).toBe(401);
  await api.admin.delete(`/api/v1/users/${vera.id}`);
  expect(await statusOf(kept.key)).toBe(401);
  expect(await sql('SELECT FROM api_keys')).toEqual([]);
});

it.each([
  ['without an end', { expires_at: undefined }, '/expires_at'],
  ['for more than 400 days', { expires_at: 401 }, '/expires_at'],
  ['that has ended', { expires_at: -1 }, '/expires_at'],
  ['of an admin with tags', { role: 'admin', tags: ['web'] }, '/tags'],
  ['with an empty list of tags', { tags: [] }, '/tags'],
  ['for a network that is none', { networks: ['10.0.0.0/33'] }, '/networks/0'],
])('are refused %s', async (_, fields, pointer) => {
  const days = 'expires_at' in fields ? fields.expires_at : null;
  const end = typeof days === 'number' ? { expires_at: inDays(days) } : {};
  expect(await ask(api.admin.token, { ...fields, ...end })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer }] },
  });
});

it('cannot exceed the role and tags of their user', async () => {
  const otto = await addUser(api, 'operator', { tags: ['db', 'web'] });
  expect((await ask(otto.token, { role: 'admin' })).status).toBe(403);
  expect((await ask(otto.token, { tags: ['web', 'mail'] })).status).toBe(403);
  expect(await ask(otto.token, { tags: ['web'] })).toMatchObject({ status: 201, body: { tags: ['web'] } });
});

it('are never stronger than their user is now', async () => {
  const otto = await addUser(api, 'operator');
  const { key } = await issue(otto.token, { role: 'operator' });
  const add = () =>
    api.post('/api/v1/hosts/manual', { json: { display_name: 'a', hostname: 'a' }, token: key });
  const host = (await add()).body;
  const change = (json: object) => api.admin.patch(`/api/v1/users/${otto.id}`, { json });
  await change({ tags: ['web'] });
  expect(await statusOf(key, `/api/v1/hosts/${host.id}`)).toBe(404);
  await change({ tags: null, role: 'viewer' });
  expect(await statusOf(key, `/api/v1/hosts/${host.id}`)).toBe(200);
  expect((await add()).status).toBe(403);
});

it('of others are seen and ended by an admin alone', async () => {
  const [vera, otto] = [await addUser(api, 'viewer'), await addUser(api, 'operator')];
  const { id } = await issue(vera.token);
  const listFor = async (token: string) => (await api.get('/api/v1/api-keys', { token })).body.length;
  expect([await listFor(vera.token), await listFor(otto.token), await listFor(api.admin.token)]).toEqual([
    1, 0, 1,
  ]);
  expect((await api.delete(`/api/v1/api-keys/${id}`, { token: otto.token })).status).toBe(404);
  expect((await api.admin.delete(`/api/v1/api-keys/${id}`)).status).toBe(204);
});

it('work from their networks alone, by the address that a trusted proxy reports', async () => {
  const { key } = await issue(api.admin.token, { networks: ['10.1.0.0/16', '2001:db8::/32', '192.0.2.7'] });
  const from = async (address: string) =>
    (await api.get('/api/v1/hosts', { token: key, headers: { 'X-Forwarded-For': address } })).status;
  expect(await from('10.1.2.3')).toBe(200);
  expect(await from('::ffff:10.1.2.3')).toBe(200);
  expect(await from('2001:db8:1::1')).toBe(200);
  expect(await from('192.0.2.7')).toBe(200);
  expect(await from('10.2.0.1')).toBe(401);
  expect(await from('2001:db9::1')).toBe(401);
  expect(await statusOf(key)).toBe(401);
});

it('record their last use once a minute', async () => {
  const { key } = await issue(api.admin.token);
  const lastUse = async () => (await api.admin.get('/api/v1/api-keys')).body[0].last_used_at;
  expect(await lastUse()).toBeNull();
  await statusOf(key);
  const first = await lastUse();
  expect(first).not.toBeNull();
  await statusOf(key);
  expect(await lastUse()).toBe(first);
  await sql("UPDATE api_keys SET last_used_at = now() - interval '61 s'");
  await statusOf(key);
  expect(Date.parse(await lastUse())).toBeGreaterThanOrEqual(Date.parse(first));
});

it('of one user are limited in number, and listed in pages', async () => {
  const vera = await addUser(api, 'viewer');
  for (let n = 0; n < 100; n += 1) await issue(vera.token, { name: `key ${n}` });
  expect((await ask(vera.token)).status).toBe(409);
  const pages = await readPages(vera, '/api/v1/api-keys?limit=60');
  const ids = pages.flatMap(({ body }) => body.map(({ id }: { id: string }) => id));
  expect(new Set(ids).size).toBe(100);
});

it('end their event streams with them, and when the rights of their user change', async () => {
  const otto = await addUser(api, 'operator');
  const [ended, narrowed] = [await issue(otto.token), await issue(otto.token)];
  const streams = [await openEvents(api.url, ended.key), await openEvents(api.url, narrowed.key)];
  expect(streams.map(({ status }) => status)).toEqual([200, 200]);
  await api.delete(`/api/v1/api-keys/${ended.id}`, { token: otto.token });
  await streams[0]?.untilOver();
  expect(streams[1]?.isOver()).toBe(false);
  await api.admin.patch(`/api/v1/users/${otto.id}`, { json: { tags: ['web'] } });
  await streams[1]?.untilOver();
});

it('cannot be limited for an admin, nor can an admin', async () => {
  const json = { email: 'a@example.org', role: 'admin', tags: ['web'], password: userPassword };
  expect((await api.admin.post('/api/v1/users', { json })).status).toBe(409);
  const otto = await addUser(api, 'operator', { tags: ['web'] });
  const change = async (fields: object) =>
    (await api.admin.patch(`/api/v1/users/${otto.id}`, { json: fields })).status;
  expect(await change({ role: 'admin' })).toBe(409);
  expect(await change({ role: 'admin', tags: null })).toBe(200);
  expect(await change({ tags: ['web'] })).toBe(409);
});
