import { waitFor } from '@plimsoll/testing';
import { adminEmail, adminPassword, apiPerFile, startApi } from './api-under-test.ts';
import { debianPackage, reportingHost } from './debian-fleet.ts';
import { addUser } from './users.ts';

const api = apiPerFile(() => startApi({}, () => new Date(Date.now() - wrongMs)));
let reader: string;
/** How far the clock of the API differs from that of the database. */
let wrongMs = 0;
const address = '/api/v1/hosts.csv?sort=hostname';

beforeAll(async () => {
  for (const name of ['alpha', 'bravo'])
    await reportingHost(api, name, { packages: [debianPackage('bash', '5.2')] as never });
  const { body } = await api.admin.get('/api/v1/hosts');
  const [{ id }] = body;
  await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: ['own'], display_name: 'mine' } });
  reader = (await addUser(api, 'viewer', { email: 'otto@example.org', tags: ['own'] })).token;
});

async function signIn(email: string, secret: string): Promise<string> {
  return (await api.post('/api/v1/auth/login', { json: { email, password: secret } })).body.token;
}

async function allow(token: string, path = address, sent?: unknown) {
  const json = sent === undefined ? { path } : { path, body: sent };
  const { status, headers, body } = await api.post('/api/v1/auth/download', { token, json });
  const set = String(headers['set-cookie'] ?? '');
  return { status, set, cookie: set.split(';')[0] ?? '', link: String(body.path) };
}

const follow = (link: string, cookie: string, more: Record<string, string> = {}) =>
  fetch(`${api.url}${link}`, { headers: { cookie, ...more } });

it('lets a browser download one address as the user who asked', async () => {
  const { status, set, cookie, link } = await allow(reader);
  expect([status, link.replace(/[^=]*$/, '')]).toEqual([200, `${address}&download=`]);
  for (const part of ['HttpOnly', 'SameSite=Strict', 'Max-Age=120', 'Path=/api/v1/hosts.csv'])
    expect(set).toContain(part);
  const answer = await follow(link, cookie, { 'sec-fetch-site': 'same-origin' });
  expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
    200,
    expect.stringContaining('attachment'),
  ]);
  const text = await answer.text();
  expect([text.includes('mine'), text.includes('bravo') && text.includes('alpha')]).toEqual([true, false]);
  // The browser forgets it with the download.
  expect(answer.headers.get('set-cookie')).toMatch(/^plimsoll_download_[\w-]+=;.*Max-Age=0/);
  // Written beside the answer.
  const noted = async () => (await api.admin.get('/api/v1/audit-events?action=data.exported&limit=1')).body;
  await waitFor('the download in the audit log', async () => (await noted()).length > 0);
  expect((await noted())[0]).toMatchObject({
    actor_name: 'otto@example.org',
    details: { operation: 'exportHosts' },
  });
});

it('allows nothing else', async () => {
  const { cookie, link } = await allow(api.admin.token);
  const [name, value] = cookie.split('=') as [string, string];
  const id = link.slice(link.lastIndexOf('=') + 1);
  const refused = [
    await follow(address, cookie),
    await follow(`/api/v1/hosts.csv?download=${id}`, cookie),
    await follow(`/api/v1/hosts.csv?sort=-hostname&download=${id}`, cookie),
    await follow(`/api/v1/findings.csv?download=${id}`, cookie),
    await follow(`/api/v1/hosts?sort=hostname&download=${id}`, cookie),
    await follow(`/api/v1/auth/me?download=${id}`, cookie),
    await follow(`${link}&limit=1`, cookie),
    await follow(link, ''),
    await follow(link, `${name}=${value.slice(0, -2)}AA`),
    await follow(link, cookie, { 'sec-fetch-site': 'cross-site' }),
    await follow(link, cookie, { 'sec-fetch-site': 'same-site' }),
    await follow(link, cookie, { authorization: 'Bearer wrong' }),
    await fetch(`${api.url}${link}`, { method: 'HEAD', headers: { cookie } }),
  ];
  expect(refused.map(({ status }) => status)).toEqual(Array(refused.length).fill(401));
  expect((await follow(link, cookie)).status).toBe(200);
});

it.each([
  ['no export', '/api/v1/hosts'],
  ['another origin', 'https://example.org/api/v1/hosts.csv'],
  ['another host', '//example.org/api/v1/hosts.csv'],
  ['no path', 'hosts.csv'],
  ['a path that browsers write differently', '/api/v1/x/../hosts.csv'],
  ['a change', '/api/v1/auth/logout'],
])('is refused for %s', async (_what, path) => {
  expect((await allow(api.admin.token, path)).status).toBe(422);
});

it('needs a user who is signed in, and ends with the session', async () => {
  const expires_at = new Date(Date.now() + 86_400_000).toISOString();
  const json = { name: 'script', role: 'viewer', expires_at };
  const { body } = await api.admin.post('/api/v1/api-keys', { json });
  expect((await allow(body.key)).status).toBe(403);
  const token = await signIn(adminEmail, adminPassword);
  const { cookie, link } = await allow(token);
  await api.post('/api/v1/auth/logout', { token });
  expect((await follow(link, cookie)).status).toBe(401);
});

it('is over after two minutes by the clock of the database', async () => {
  wrongMs = 10 * 60_000;
  const [early, late] = [await allow(api.admin.token), await allow(api.admin.token)];
  wrongMs = 0;
  expect((await follow(early.link, early.cookie)).status).toBe(200);
  await api.database.db.pool.query(`UPDATE downloads SET expires_at = expires_at - interval '2 minutes'`);
  expect((await follow(late.link, late.cookie)).status).toBe(401);
});

it.each(['as they were allowed', 'in the other order'])(
  'keeps downloads of one address apart, begun %s',
  async (order) => {
    const hosts = await api.admin.get('/api/v1/hosts?sort=hostname');
    const exported = hosts.body.map(async ({ id, hostname }: { id: string; hostname: string }) => ({
      hostname,
      ...(await allow(api.admin.token, '/api/v1/hosts/export', { hosts: [id] })),
    }));
    const tabs: { hostname: string; cookie: string; link: string }[] = await Promise.all(exported);
    // A browser sends all cookies for the path.
    const jar = tabs.map(({ cookie }) => cookie).join('; ');
    for (const { hostname, link } of order === 'as they were allowed' ? tabs : tabs.toReversed()) {
      const text = await (await follow(link, jar)).text();
      expect(tabs.filter((tab) => text.includes(tab.hostname)).map((tab) => tab.hostname)).toEqual([
        hostname,
      ]);
    }
  },
);

it('works once, also when two requests use it at the same time', async () => {
  const { cookie, link } = await allow(api.admin.token);
  const answers = await Promise.all([follow(link, cookie), follow(link, cookie)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 401]);
  const late = await follow(link, cookie);
  expect([late.status, await late.json()]).toEqual([
    401,
    expect.objectContaining({ detail: expect.stringContaining('has begun before') }),
  ]);
  const { body } = await api.admin.get('/api/v1/audit-events?action=access.denied&limit=5');
  expect(body.map(({ details }: { details: { operation?: string } }) => details.operation)).toContain(
    'exportHosts',
  );
});

it('is not used up by a request for the head, or by one of another page', async () => {
  const { cookie, link } = await allow(api.admin.token);
  await fetch(`${api.url}${address}`, {
    method: 'HEAD',
    headers: { authorization: `Bearer ${api.admin.token}`, cookie },
  });
  await follow(link, cookie, { 'sec-fetch-site': 'cross-site' });
  expect((await follow(link, cookie)).status).toBe(200);
});

it('ends the oldest of too many that have not begun', async () => {
  const first = await allow(reader);
  const later = await allow(reader, '/api/v1/hosts.csv');
  for (let n = 0; n < 19; n++) await allow(reader);
  expect((await follow(first.link, first.cookie)).status).toBe(401);
  expect((await follow(later.link, later.cookie)).status).toBe(200);
});

describe('an export by POST', () => {
  const exported = '/api/v1/hosts/export';

  it('is downloaded by GET with the body that was allowed, once', async () => {
    const { body } = await api.admin.get('/api/v1/hosts?sort=hostname');
    const ids = body.map(({ id }: { readonly id: string }) => id);
    const { status, set, cookie, link } = await allow(reader, exported, { hosts: ids });
    expect([status, set.includes('Path=/api/v1/hosts/export')]).toEqual([200, true]);
    const answer = await follow(link, cookie);
    expect([answer.status, answer.headers.get('content-disposition')]).toEqual([
      200,
      'attachment; filename="plimsoll-hosts-incomplete.csv"',
    ]);
    const text = await answer.text();
    expect([text.includes('mine'), text.includes('alpha') && text.includes('bravo')]).toEqual([true, false]);
    expect((await follow(link, cookie)).status).toBe(401);
    const plan = await allow(api.admin.token, '/api/v1/plans?format=shell', { hosts: ids });
    const script = await follow(plan.link, plan.cookie, { accept: 'text/html' });
    expect(await script.text()).toMatch(/^#!\/bin\/sh/);
    const events = await api.admin.get('/api/v1/audit-events?action=data.exported&limit=2');
    const operations = events.body.map(
      ({ details }: { readonly details: { operation: string } }) => details.operation,
    );
    expect(operations).toEqual(['makePlan', 'exportSelectedHosts']);
  });

  it('is refused with its fault when it is allowed, and has no GET of its own', async () => {
    const faulty = await allow(api.admin.token, exported, { hosts: ['none'] });
    expect(faulty.status).toBe(422);
    expect((await allow(api.admin.token, exported)).status).toBe(422);
    expect((await allow(api.admin.token, address, {})).status).toBe(422);
    expect(
      (await allow(api.admin.token, '/api/v1/hosts/actions', { hosts: [], action: 'delete' })).status,
    ).toBe(422);
    const { cookie, link } = await allow(api.admin.token, exported, { filter: {} });
    const others = [
      await fetch(`${api.url}${link}`, { headers: { authorization: `Bearer ${api.admin.token}` } }),
      await follow(exported, cookie),
      await follow(link.replace('?', '?format=json&'), cookie),
      await fetch(`${api.url}${exported}`, { method: 'POST', headers: { cookie } }),
    ];
    expect(others.map(({ status }) => status)).toEqual([405, 405, 405, 401]);
    expect((await follow(link, cookie)).status).toBe(200);
  });
});
