import { parseHostFilter } from '@plimsoll/contract';
import {
  type BulletinMaker,
  createBulletinClock,
  createBulletinMaker,
  createDeliveryRunStore,
  createFindingStore,
  hostFiltersNamed,
} from '@plimsoll/db';
import { wholeFleet } from '@plimsoll/model';
import { adminEmail, apiPerFile } from './api-under-test.ts';
import { debianPackage, debianRecord, type HostFacts, reportingHost } from './debian-fleet.ts';
import { publishKey } from './notified.ts';
import { importOsv } from './pipeline.ts';
import { addUser } from './users.ts';

const record = (id: string, name: string) =>
  debianRecord(`DEBIAN-${id}`, name, { fixed: '2', cves: [id], urgency: 'high' });
const facts: HostFacts = {
  packages: [debianPackage('openssh', '1'), debianPackage('curl', '1')] as never, // fields have the form of the init
};
const api = apiPerFile();
let maker: BulletinMaker;
/** Done after the hosts were counted, before their findings are. */
let afterHosts: () => Promise<unknown> = () => Promise.resolve();

beforeAll(async () => {
  await publishKey(api.database);
  await importOsv(api.database, [record('CVE-2026-0001', 'openssh')]);
  for (const name of ['web-1', 'web-2', 'db-1']) {
    const { id } = await reportingHost(api, name, facts);
    await api.admin.patch(`/api/v1/hosts/${id}`, { json: { tags: [name.slice(0, -2)] } });
  }
  const worker = api.database.as('notify-worker');
  const findings = createFindingStore(worker);
  maker = createBulletinMaker(worker, {
    findings: {
      ...findings,
      async list(query) {
        await afterHosts();
        return findings.list(query);
      },
    },
    parseGroup: (filter) => {
      const parsed = parseHostFilter(filter);
      return parsed === null ? null : hostFiltersNamed(parsed);
    },
  });
});

const sql = (text: string, values: unknown[] = []) => api.database.db.pool.query(text, values);
const post = (path: string, json: object, token = api.admin.token) =>
  api.post(`/api/v1${path}`, { token, json });
const mailChannel = async (token = api.admin.token) =>
  (await post('/channels', { name: 'Mail', kind: 'email', addresses: [adminEmail] }, token)).body.id;
const times = { every: 'week', at: '08:00', time_zone: 'Europe/Berlin' };
async function add(fields: object = {}, token = api.admin.token) {
  const json = { name: 'Weekly', channel_id: await mailChannel(token), ...times, ...fields };
  return post('/bulletins', json, token);
}
const operator = (tags: readonly string[] | null) => addUser(api, 'operator', { tags });
const preview = (id: string, token = api.admin.token) =>
  api.get(`/api/v1/bulletins/${id}/preview`, { token });
async function made(id: string) {
  const result = await maker.make(id, wholeFleet);
  if (result?.kind !== 'made') throw new Error(`no report: ${result?.reason ?? 'not found'}`);
  return result;
}

it('says what is open on its hosts, the same to readers and in the notify-worker', async () => {
  const { body } = await add({ tag: 'web' });
  const { body: contents } = await preview(body.id);
  expect(contents).toMatchObject({
    about: { kind: 'tag', name: 'web' },
    limited_to: null,
    hosts: 2,
    has_due_policy: false,
    first: [{ key: 'DEBIAN-CVE-2026-0001', hosts: 2 }],
    advisories: 1,
    changes: null,
  });
  expect(contents.open.find((row: { findings: number }) => row.findings > 0)).toMatchObject({
    findings: 2,
    hosts: 2,
  });
  const result = await made(body.id);
  expect({ ...result.contents, as_of: '' }).toEqual({ ...contents, as_of: '' });
  expect(result.rows.map(({ key, hosts }) => [key, hosts])).toEqual([['DEBIAN-CVE-2026-0001', 2]]);
});

it('says how old CISA’s catalog is, and names the hosts of which not all is known', async () => {
  const { body } = await add({ tag: 'web' });
  expect((await preview(body.id)).body.exploited_data).toEqual({
    freshness: 'never_synced',
    updated_at: null,
  });
  await sql(`UPDATE feeds SET updated_at = now() - interval '10 days' WHERE id = 'cisa-kev'`);
  expect((await made(body.id)).contents).toMatchObject({
    exploited_data: { freshness: 'outdated' },
    due_exploitation_unknown: false,
  });
  const policy = (json: object) => api.admin.put('/api/v1/policies/due-dates', { json });
  await policy({ preset: 'cisa-bod-26-04' });
  expect((await made(body.id)).contents).toMatchObject({
    has_due_policy: true,
    due_exploitation_unknown: true,
  });
  expect((await preview(body.id)).body.due_exploitation_unknown).toBe(true);
  await policy({ rules: [] });
  await sql(`UPDATE feeds SET updated_at = now() WHERE id = 'cisa-kev'`);
  expect((await made(body.id)).contents.exploited_data).toMatchObject({ freshness: 'current' });
  expect((await made(body.id)).unknown).toEqual([]);
  await sql(`UPDATE feeds SET updated_at = updated_at - interval '10 days' WHERE id = 'debian-osv'`);
  const { contents, unknown } = await made(body.id);
  expect(contents).toMatchObject({ unknown_hosts: 2 });
  expect(unknown.map(({ name, gaps }) => [name, gaps])).toEqual([
    ['web-1', ['feed_outdated']],
    ['web-2', ['feed_outdated']],
  ]);
  await sql(`UPDATE feeds SET updated_at = now() WHERE id = 'debian-osv'`);
});

it('claims no data of CISA KEV that was imported after its hosts were read', async () => {
  const { body } = await add();
  await sql(`UPDATE feeds SET updated_at = NULL WHERE id = 'cisa-kev'`);
  afterHosts = () => sql(`UPDATE feeds SET updated_at = now() WHERE id = 'cisa-kev'`);
  const { contents } = await made(body.id).finally(() => {
    afterHosts = () => Promise.resolve();
  });
  expect(contents.exploited_data).toEqual({ freshness: 'never_synced', updated_at: null });
  expect((await made(body.id)).contents.exploited_data).toMatchObject({ freshness: 'current' });
});

it('is about the hosts that its maker may see when it is sent, and about none without the role', async () => {
  const { id: user, token } = await operator(['web', 'db']);
  const { body } = await add({}, token);
  expect((await made(body.id)).contents).toMatchObject({ hosts: 3, limited_to: ['db', 'web'] });
  const change = (json: object) => api.admin.patch(`/api/v1/users/${user}`, { json });
  await change({ tags: ['db'] });
  expect((await made(body.id)).contents).toMatchObject({ hosts: 1, limited_to: ['db'] });
  await change({ tags: ['mail'] });
  expect((await made(body.id)).contents).toMatchObject({ hosts: 0, advisories: 0 });
  // More rights than it was made with do not widen it.
  await change({ tags: null });
  expect((await made(body.id)).contents).toMatchObject({ hosts: 3, limited_to: ['db', 'web'] });
  await change({ role: 'viewer' });
  expect(await maker.make(body.id, wholeFleet)).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining('may not send'),
  });
  expect((await preview(body.id)).status).toBe(409);
  await api.admin.delete(`/api/v1/users/${user}`);
  expect(await maker.make(body.id, wholeFleet)).toMatchObject({
    reason: expect.stringContaining('was deleted'),
  });
});

it('exists for limited operators only on channels of theirs, and shows each reader the hosts that it may see', async () => {
  const { token } = await operator(['web']);
  const { body: all } = await add();
  for (const answer of [
    await preview(all.id, token),
    await api.patch(`/api/v1/bulletins/${all.id}`, { token, json: { name: 'x' } }),
    await api.delete(`/api/v1/bulletins/${all.id}`, { token }),
    await api.post(`/api/v1/bulletins/${all.id}/send`, { token }),
    await post('/bulletins', { name: 'x', channel_id: all.channel_id, ...times }, token),
  ])
    expect(answer.status).toBe(404);
  const own = await operator(['web', 'db']);
  const { body: channel } = await api.post('/api/v1/channels', {
    token: own.token,
    json: { name: 'm', kind: 'email', addresses: [adminEmail], tags: ['web'] },
  });
  const { body } = await post('/bulletins', { name: 'n', channel_id: channel.id, ...times }, own.token);
  // No more than its channel may be told.
  expect((await preview(body.id)).body).toMatchObject({ hosts: 2, limited_to: ['web'] });
  expect((await preview(body.id, token)).body).toMatchObject({ hosts: 2 });
});

it('refuses other channels, groups that the caller does not see, and wrong times', async () => {
  const channel_id = await mailChannel();
  const status = async (fields: object) =>
    (await post('/bulletins', { name: 'n', channel_id, ...times, ...fields })).status;
  expect(await status({ every: 'hour' })).toBe(422);
  expect(await status({ at: '24:00' })).toBe(422);
  expect(await status({ time_zone: 'Mars/Base' })).toBe(422);
  expect(await status({ day: 32 })).toBe(422);
  const { body: group } = await post('/groups', { name: 'Web', filter: { tag: 'web' }, shared: false });
  expect(await status({ group_id: group.id, tag: 'web' })).toBe(422);
  const { token } = await operator(null);
  const hidden = await post('/bulletins', { name: 'n', channel_id, group_id: group.id, ...times }, token);
  expect(hidden.status).toBe(422);
  const { body } = await add({ group_id: group.id });
  expect((await preview(body.id)).body).toMatchObject({ hosts: 2, about: { kind: 'group', name: 'Web' } });
  await api.admin.delete(`/api/v1/groups/${group.id}`);
  expect(await maker.make(body.id, wholeFleet)).toMatchObject({ kind: 'refused' });
});

it('is compared with the last one that was delivered, if that was about the same hosts', async () => {
  const { body } = await add({ tag: 'db' });
  const { base } = await made(body.id);
  const { body: sent } = await api.admin.post(`/api/v1/bulletins/${body.id}/send`);
  expect((await api.admin.post(`/api/v1/bulletins/${body.id}/send`)).status).toBe(409);
  const runs = createDeliveryRunStore(api.database.as('notify-worker'));
  const run = await runs.begin(sent.id, 60);
  if (run === null) throw new Error('the delivery is not due');
  await runs.keepContent(run, { bulletin: { base } });
  await runs.end(run, { outcome: 'accepted', status: 250, error: null, retrySeconds: null });
  await importOsv(api.database, [record('CVE-2026-0002', 'curl')]);
  expect((await made(body.id)).contents.changes).toMatchObject({
    hosts: 1,
    added_first: [{ key: 'DEBIAN-CVE-2026-0002', hosts: 1 }],
    gone_first: ['DEBIAN-CVE-2026-0001'],
  });
  await api.admin.patch(`/api/v1/bulletins/${body.id}`, { json: { tag: 'web' } });
  expect((await made(body.id)).contents.changes).toBeNull();
});

it('is written once when its time has come, and not again until the next time', async () => {
  await sql('DELETE FROM notification_bulletins');
  const { body } = await add();
  const clock = createBulletinClock(
    api.database.as('notify-worker'),
    (_schedule, after) => new Date(after.getTime() + 3_600_000),
  );
  expect(await clock.look()).toBe(0);
  expect((await api.admin.get('/api/v1/bulletins')).body[0].next_at).not.toBeNull();
  await sql(`UPDATE notification_bulletins SET next_at = now() - interval '3 days'`);
  expect([await clock.look(), await clock.look()]).toEqual([1, 0]);
  const { body: log } = await api.admin.get('/api/v1/deliveries?event=bulletin');
  expect(log[0]).toMatchObject({ event: 'bulletin', route_name: body.name, state: 'waiting' });
  await api.admin.delete(`/api/v1/bulletins/${body.id}`);
  const { body: ended } = await api.admin.get('/api/v1/deliveries?event=bulletin');
  expect(ended[0]).toMatchObject({ state: 'cancelled', end_reason: 'The report was deleted.' });
});
