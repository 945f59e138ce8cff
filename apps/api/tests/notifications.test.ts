import { channelBox, channelKinds } from '@plimsoll/model';
import { generateSealingKey, openSealed, type SealingKey } from '@plimsoll/secrets';
import { apiPerFile } from './api-under-test.ts';
import { publishKey } from './notified.ts';
import { addUser } from './users.ts';

const api = apiPerFile();
let key: SealingKey;
beforeAll(async () => {
  key = generateSealingKey();
});

const publish = () => publishKey(api.database, key);
const add = (token: string, fields: object = {}) =>
  api.post('/api/v1/channels', {
    token,
    json: { name: 'Hook', kind: 'webhook', url: 'https://hooks.example/in?token=1', ...fields },
  });
const secret = 'a secret of sixteen bytes';

const operator = async (tags: readonly string[] | null) => (await addUser(api, 'operator', { tags })).token;

it('refuses channels until a notify-worker has published its key', async () => {
  const answer = await add(api.admin.token);
  expect([answer.status, answer.body.detail]).toEqual([503, expect.stringContaining('No notify-worker')]);
  await publish();
  expect((await add(api.admin.token)).status).toBe(201);
});

it('never answers a secret, nor the part of an address that gives access, and stores both sealed', async () => {
  const { body } = await add(api.admin.token, { secret });
  expect(body).toMatchObject({ url: 'https://hooks.example', has_secret: true });
  for (const kind of channelKinds.filter((each) => each !== 'email')) {
    const url = `https://${kind}.example:8443/T/very-secret`;
    const added = await add(api.admin.token, { kind, url });
    expect(added.body).toMatchObject({ url: `https://${kind}.example:8443`, has_secret: false });
    const json = { url: `https://${kind}.example/U/very-secret` };
    const changed = await api.admin.patch(`/api/v1/channels/${added.body.id}`, { json });
    expect(changed.body.url).toBe(`https://${kind}.example`);
  }
  const said = [
    (await api.admin.get('/api/v1/channels')).text,
    (await api.admin.get('/api/v1/audit-events?limit=100')).text,
    JSON.stringify(api.log.lines),
  ].join();
  expect(said).toContain('https://ntfy.example');
  expect([secret, 'very-secret', 'token=1', '/in"'].filter((part) => said.includes(part))).toEqual([]);
  const { rows } = await api.database.db.pool.query(
    'SELECT sealed_url AS url, sealed_secret AS secret FROM notification_channels WHERE id = $1',
    [body.id],
  );
  expect(openSealed([key], rows[0].secret, channelBox(body.id, 'secret')).toString()).toBe(secret);
  expect(openSealed([key], rows[0].url, channelBox(body.id, 'url')).toString()).toBe(
    'https://hooks.example/in?token=1',
  );
});

it.each([
  ['an address without https or http', { url: 'ftp://a.example/' }, '/url'],
  ['a password in the address', { url: 'https://a:b@a.example/' }, '/url'],
  ['e-mail without addresses', { kind: 'email', url: undefined }, '/addresses'],
  [
    'an address of e-mail with a line break',
    { kind: 'email', url: undefined, addresses: ['a@example.org\nBcc: b@c.d'] },
    '/addresses/0',
  ],
  ['a secret for a chat', { kind: 'slack', secret }, '/secret'],
  ['a short secret', { secret: 'short' }, '/secret'],
  ['a topic that is missing', { kind: 'ntfy', url: 'https://ntfy.sh/' }, '/url'],
])('refuses %s', async (_name, fields, pointer) => {
  const { status, body } = await add(api.admin.token, fields);
  expect([status, body.errors?.map((error: { pointer: string }) => error.pointer)]).toEqual([422, [pointer]]);
});

it('lets only admins set a secret, and change the address of a channel that has one', async () => {
  const token = await operator(null);
  expect((await add(token)).status).toBe(201);
  expect((await add(token, { secret })).status).toBe(403);
  const { id } = (await add(api.admin.token, { secret })).body;
  const change = (json: object, as = token) => api.patch(`/api/v1/channels/${id}`, { token: as, json });
  expect((await change({ secret: 'another secret of it' })).status).toBe(403);
  expect((await change({ secret: null })).status).toBe(403);
  expect((await change({ url: 'https://evil.example/' })).status).toBe(403);
  expect((await change({ paused: true })).body).toMatchObject({ paused: true });
  const rotated = await change({ secret: 'another secret of it' }, api.admin.token);
  expect(Date.parse(rotated.body.previous_secret_until) - Date.now()).toBeGreaterThan(23 * 3_600_000);
  expect((await change({ secret: null }, api.admin.token)).body).toMatchObject({
    has_secret: false,
    previous_secret_until: null,
  });
});

it('keeps channels, routes and deliveries of a limited operator within its tags', async () => {
  const web = await operator(['web']);
  const all = (await add(api.admin.token)).body;
  const own = await add(web);
  expect(own.body.tags).toEqual(['web']);
  const shared = (await add(api.admin.token, { tags: ['db', 'web'] })).body;
  expect((await add(web, { tags: ['db'] })).status).toBe(403);
  expect(
    (await api.get('/api/v1/channels', { token: web })).body.map(({ id }: { id: string }) => id),
  ).toEqual([own.body.id]);
  const route = (channel_id: string, events = ['finding.new']) =>
    api.post('/api/v1/routes', { token: web, json: { name: 'R', channel_id, events } });
  expect((await route(all.id)).status).toBe(404);
  expect((await route(own.body.id, ['auth.lockout'])).status).toBe(422);
  expect((await route(own.body.id)).status).toBe(201);
  for (const path of [`/api/v1/channels/${all.id}`])
    expect((await api.patch(path, { token: web, json: { name: 'x' } })).status).toBe(404);
  const foreign = await api.admin.post('/api/v1/routes', {
    json: { name: 'F', channel_id: all.id, events: ['feed.failed'] },
  });
  expect((await api.delete(`/api/v1/routes/${foreign.body.id}`, { token: web })).status).toBe(404);
  await api.database.db.pool.query(`SELECT add_notification_event('feed.failed', 'x', '{}', '{}')`);
  await api.database.db.pool.query(
    `INSERT INTO notification_deliveries (id, channel_id, channel_name, channel_kind, route_name, is_limited, tags, event,
       state, items, due_at, next_attempt_at)
     SELECT gen_random_uuid(), id, name, kind, 'R', is_limited, tags, 'finding.new', 'waiting', '{"events": [], "omitted": 0}',
       now(), now() FROM notification_channels WHERE id = $1`,
    [shared.id],
  );
  expect((await api.admin.get('/api/v1/deliveries')).body).toHaveLength(1);
  expect((await api.get('/api/v1/deliveries', { token: web })).body).toEqual([]);
});

it('checks times and zones of routes', async () => {
  const channel_id = (await add(api.admin.token)).body.id;
  const route = (fields: object) =>
    api.admin.post('/api/v1/routes', { json: { name: 'R', channel_id, events: ['finding.new'], ...fields } });
  const zone = 'Europe/Berlin';
  expect((await route({ digest: { every: 'day', at: '25:00', time_zone: zone } })).status).toBe(422);
  expect((await route({ digest: { every: 'day', at: '08:00', time_zone: 'Mars/Base' } })).status).toBe(422);
  expect((await route({ quiet_hours: { from: '08:00', to: '08:00', time_zone: zone } })).status).toBe(422);
  expect((await route({ events: [] })).status).toBe(422);
  const digest = { every: 'week', at: '08:00', time_zone: zone };
  expect((await route({ digest, min_severity: 'important', tags: ['web'] })).body).toMatchObject({
    digest,
    min_severity: 'important',
    tags: ['web'],
    delay_minutes: 0,
  });
});

it('says that no notify-worker runs when a channel is tested', async () => {
  const { id } = (await add(api.admin.token)).body;
  const answer = await api.admin.post(`/api/v1/channels/${id}/test`);
  expect([answer.status, answer.body.detail]).toEqual([503, expect.stringContaining('notify-worker')]);
  const [delivery] = (await api.admin.get(`/api/v1/deliveries?channel_id=${id}`)).body;
  expect(delivery).toMatchObject({ event: 'test', state: 'cancelled', attempts: [] });
});
