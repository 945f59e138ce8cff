import { apiPerFile, enrol } from './api-under-test.ts';
import { fleetOf } from './fleet.ts';

const api = apiPerFile();

async function hostOf(id: string) {
  const { body } = await api.admin.get(`/api/v1/hosts/${id}`);
  return [body.exposure, body.exposure_source];
}
const change = (id: string, json: object) => api.admin.patch(`/api/v1/hosts/${id}`, { json });
const setRules = (...rules: object[]) => api.admin.put('/api/v1/policies/exposure', { json: { rules } });

it('is unknown until somebody states it', async () => {
  const host = await fleetOf(api).addHost();
  expect(await hostOf(host)).toEqual(['unknown', null]);
});

it('comes from the registration token, until a rule by tag or an operator states another', async () => {
  const issued = await api.admin.post('/api/v1/registration-tokens', {
    json: { name: 'dmz', exposure: 'public', tags: ['edge'], auto_approve: true },
  });
  expect(issued.body.exposure).toBe('public');
  const { body } = await api.post('/api/v1/agent/register', {
    json: { registration_token: issued.body.token, hostname: 'edge1.example.org', machine_id: 'edge-1' },
  });
  expect(await hostOf(body.host_id)).toEqual(['public', 'registration_token']);
  await setRules({ tag: 'edge', exposure: 'internal' });
  expect(await hostOf(body.host_id)).toEqual(['internal', 'tag_rule']);
  expect((await change(body.host_id, { exposure: 'unknown' })).body.exposure).toBe('unknown');
  await setRules({ tag: 'edge', exposure: 'public' });
  expect(await hostOf(body.host_id)).toEqual(['unknown', 'operator']);
  await change(body.host_id, { exposure: null });
  expect(await hostOf(body.host_id)).toEqual(['public', 'tag_rule']);
  await setRules();
  expect(await hostOf(body.host_id)).toEqual(['public', 'registration_token']);
});

it('follows the tags of the host, by the first rule for one of them', async () => {
  const host = await fleetOf(api).addHost();
  await setRules({ tag: 'db', exposure: 'internal' }, { tag: 'web', exposure: 'public' });
  await change(host, { tags: ['web'] });
  expect(await hostOf(host)).toEqual(['public', 'tag_rule']);
  await change(host, { tags: ['web', 'db'] });
  expect(await hostOf(host)).toEqual(['internal', 'tag_rule']);
  const hosts = await api.admin.get('/api/v1/hosts?exposure=internal');
  expect(hosts.body.map(({ id }: { id: string }) => id)).toEqual([host]);
  await change(host, { tags: [] });
  expect(await hostOf(host)).toEqual(['unknown', null]);
});

it('shows limited readers the rules for their tags', async () => {
  await setRules({ tag: 'web', exposure: 'public' }, { tag: 'secret-project', exposure: 'internal' });
  const expires_at = new Date(Date.now() + 3_600_000).toISOString();
  const json = { name: 'web', role: 'viewer', tags: ['web'], expires_at };
  const { body } = await api.admin.post('/api/v1/api-keys', { json });
  const seen = await api.get('/api/v1/policies/exposure', { token: body.key });
  expect(seen.body.rules).toEqual([{ tag: 'web', exposure: 'public' }]);
});

it('is set by hand at enrolled and other hosts alike, and audited', async () => {
  const { id } = await enrol(api);
  await change(id, { exposure: 'internal' });
  const { body } = await api.admin.get(`/api/v1/audit-events?target_id=${id}&limit=1`);
  expect(body[0].details).toEqual({ exposure: { from: null, to: 'internal' } });
});
