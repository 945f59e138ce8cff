import { type OperationId, operationIds, operationOf } from '@plimsoll/contract';
import { generateSealingKey } from '@plimsoll/secrets';
import { waitFor } from '@plimsoll/testing';
import { type ApiUnderTest, adminEmail, adminPassword, enrol, setUp, startApi } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { fleetOf } from './fleet.ts';
import { importOsv } from './pipeline.ts';
import { sampleReport } from './sample-report.ts';
import { secondFactorDeeds } from './second-factor-deeds.ts';
import { publicUrl } from './second-factor-users.ts';
import { sshFleetOf } from './ssh-fleet.ts';

let api: ApiUnderTest;
let token: string;

beforeAll(async () => {
  api = await startApi({ publicUrl });
  token = await setUp(api);
  await api.context.stores.feeds.ensure(['debian-osv']);
});
afterAll(() => api.stop());

interface Event {
  readonly id: string;
  readonly action: string;
  readonly actor_kind: string;
  readonly actor_name: string;
  readonly request_id: string | null;
  readonly target_id: string | null;
  readonly target_name: string | null;
  readonly details: Readonly<Record<string, unknown>>;
}

const audited = operationIds.filter((id) => operationOf(id).audit.length > 0);
const changing = operationIds.filter((id) => operationOf(id).method !== 'get');

describe('every changing operation', () => {
  it.each(changing)('%s: declares its audit entry or why it has none', (id) => {
    const { audit, unaudited } = operationOf(id);
    expect(audit.length > 0).toBe(unaudited === null);
  });

  it('is carried out below', () => {
    expect(Object.keys(deeds).sort()).toEqual([...audited].sort());
  });

  it.each(audited.filter((id) => id !== 'completeSetup'))(
    '%s: is in the audit log, with the request that did it and nothing secret',
    async (id) => {
      const deed = deeds[id];
      if (deed === undefined) throw new Error('no call for this operation');
      const known = new Set((await list()).map((event) => event.id));
      const answer = await deed();
      expect(answer.status).toBeLessThan(300);
      const added = (await list()).filter((event) => !known.has(event.id));
      const own = added.filter((event) => event.request_id === answer.headers['x-request-id']);
      expect(own.length).toBeGreaterThan(0);
      const actions: readonly string[] = operationOf(id).audit;
      for (const { action, details } of own) {
        expect(actions).toContain(action);
        expect(JSON.stringify(details)).not.toMatch(/pl[hrkif]_|\$2[aby]\$|long password|battery|PRIVATE/);
      }
    },
  );

  it('completeSetup: is in the audit log', async () => {
    expect((await list()).at(-1)).toMatchObject({
      action: 'setup.completed',
      actor_name: adminEmail,
      target_name: adminEmail,
    });
  });
});

describe('what reads', () => {
  it.each(operationIds.filter((id) => operationOf(id).method === 'get'))('%s: is no event', (id) => {
    expect([operationOf(id).audit, operationOf(id).unaudited]).toEqual([[], null]);
  });
});

describe('the audit log', () => {
  it('has both values of each changed field and no unchanged ones', async () => {
    const host = await fleetOf(api, token).addHost();
    await api.patch(`/api/v1/hosts/${host}`, { token, json: { display_name: 'A', tags: ['b'] } });
    await api.patch(`/api/v1/hosts/${host}`, { token, json: { display_name: 'A', tags: ['b'] } });
    await api.patch(`/api/v1/hosts/${host}`, { token, json: { tags: ['b', 'c'] } });
    const events = await list(`?target_id=${host}&action=host.updated`);
    expect(events.map(({ details }) => details)).toEqual([
      { tags: { from: ['b'], to: ['b', 'c'] } },
      { display_name: { from: expect.any(String), to: 'A' }, tags: { from: [], to: ['b'] } },
    ]);
  });

  it('records the approval of a host once', async () => {
    const { id } = await enrol(api, token, { hostname: 'twice.example.org', autoApprove: false });
    for (let n = 0; n < 2; n += 1) await api.post(`/api/v1/hosts/${id}/approve`, { token });
    const events = await list(`?target_id=${id}`);
    expect(events.map(({ action, actor_kind }) => [action, actor_kind])).toEqual([
      ['host.approved', 'user'],
      ['host.enrolled', 'host'],
    ]);
  });

  it('records failed sign-ins under the given name, at most sixty a minute', async () => {
    const email = 'nobody@example.org';
    for (let n = 0; n < 65; n += 1)
      await api.post('/api/v1/auth/login', { json: { email, password: 'not the right one' } });
    const { headers, body } = await api.get('/api/v1/audit-events?action=user.login_failed&limit=1', {
      token,
    });
    expect(Number(headers['x-total-count'])).toBe(60);
    expect(body[0]).toMatchObject({ actor_id: null, actor_name: email, target_id: null });
    // A flood of unknown names does not hide a guess at the password of a user.
    await api.post('/api/v1/auth/login', { json: { email: adminEmail, password: 'not the right one' } });
    const [guess] = await list('?action=user.login_failed&limit=1');
    expect(guess).toMatchObject({ actor_name: adminEmail, target_id: expect.any(String) });
  });

  it('is filtered by actor, action, target and time, and gives the total', async () => {
    const host = await fleetOf(api, token).addHost();
    const [event] = await list(`?target_id=${host}`);
    const { rows } = await api.database.db.pool.query<{ at: Date }>(
      'SELECT at FROM audit_events WHERE id = $1',
      [event?.id],
    );
    const at = rows[0]?.at.getTime() ?? 0;
    const time = (ms: number) => encodeURIComponent(new Date(ms).toISOString());
    const numbers = await Promise.all(
      [
        `target_id=${host}&actor=${adminEmail}&action=host.`,
        `target_id=${host}&from=${time(at)}&to=${time(at + 1)}`,
        `target_id=${host}&to=${time(at)}`,
        `target_id=${host}&from=${time(at + 1)}`,
        `target_id=${host}&action=user.`,
        `target_id=${host}&actor=somebody@example.org`,
      ].map(async (query) => {
        const { body, headers } = await api.get(`/api/v1/audit-events?${query}`, { token });
        expect(headers['x-total-count']).toBe(String(body.length));
        return body.length;
      }),
    );
    expect(numbers).toEqual([1, 1, 0, 0, 0, 0]);
  });
});

async function list(query = '?limit=1000'): Promise<readonly Event[]> {
  return (await api.get(`/api/v1/audit-events${query}`, { token })).body;
}

const password = 'a long password of theirs';
let made = 0;

const addKey = () =>
  api.post('/api/v1/api-keys', {
    token,
    json: { name: 'A', role: 'viewer', expires_at: new Date(Date.now() + 3_600_000).toISOString() },
  });

async function addUser() {
  made += 1;
  const json = { email: `user${made}@example.org`, role: 'viewer', password };
  return api.post('/api/v1/users', { token, json });
}

async function addToken() {
  return api.post('/api/v1/registration-tokens', { token, json: { name: 'test' } });
}

/** A document about a finding of a host. */
async function importVex() {
  const cves = ['CVE-2024-0001'];
  await importOsv(api.database, [debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2', cves })]);
  await reportingHost(api, token, 'waived', { packages: [debianPackage('openssh', '1')] as never });
  const json = {
    '@context': 'https://openvex.dev/ns/v0.2.0',
    statements: [
      {
        vulnerability: { name: cves[0] },
        products: [{ '@id': 'pkg:deb/debian/openssh' }],
        status: 'not_affected',
      },
    ],
  };
  return api.post(`/api/v1/waivers/import?all_hosts=true&expires_at=${inADay()}`, { token, json });
}

let invited = 0;

async function invite() {
  invited += 1;
  const json = { email: `invited${invited}@example.org`, role: 'viewer' };
  return api.post('/api/v1/users/invitations', { token, json });
}

async function waive() {
  const json = {
    kind: 'mitigated',
    packages: ['curl'],
    all_hosts: true,
    reason: 'none',
    expires_at: inADay(),
  };
  return api.post('/api/v1/waivers', { token, json });
}

function inADay(): string {
  return new Date(Date.now() + 86_400_000).toISOString();
}

async function savePlan() {
  const hosts = [await fleetOf(api, token).addHost()];
  return api.post('/api/v1/saved-plans', { token, json: { name: 'Monday', hosts } });
}

async function signIn() {
  const { body } = await addUser();
  return api.post('/api/v1/auth/login', { json: { email: body.email, password } });
}

const fingerprint = `SHA256:${'A'.repeat(43)}`;

async function addChannel() {
  const { publicKey } = generateSealingKey();
  await api.database.db.pool.query(
    'INSERT INTO notification_keys (key_id, public_key) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    [publicKey.keyId, publicKey.bytes.toString('base64')],
  );
  const json = {
    name: 'Chat',
    kind: 'webhook',
    url: 'https://a.example/in',
    secret: 'a battery of sixteen bytes',
  };
  return api.post('/api/v1/channels', { token, json });
}

async function addRoute() {
  const json = { name: 'R', channel_id: (await addChannel()).body.id, events: ['finding.new'] };
  return api.post('/api/v1/routes', { token, json });
}

async function addBulletin() {
  const mail = { name: 'Mail', kind: 'email', addresses: ['a@example.org'] };
  await addChannel();
  const { body } = await api.post('/api/v1/channels', { token, json: mail });
  const json = { name: 'Weekly', channel_id: body.id, every: 'week', at: '08:00', time_zone: 'UTC' };
  return api.post('/api/v1/bulletins', { token, json });
}

/** A call of each operation that changes something. */
const addGroup = () =>
  api.post('/api/v1/groups', {
    token,
    json: { name: `Group ${Math.random()}`, filter: { tag: 'web' } },
  });

const deeds: Partial<
  Record<OperationId, () => Promise<{ status: number; headers: Record<string, string> }>>
> = {
  completeSetup: () => api.get('/api/v1/setup/status'),
  login: () => api.post('/api/v1/auth/login', { json: { email: adminEmail, password: adminPassword } }),
  logout: async () => api.post('/api/v1/auth/logout', { token: (await signIn()).body.token }),
  changePassword: async () =>
    api.post('/api/v1/auth/password', {
      token: (await signIn()).body.token,
      json: { current_password: password, new_password: 'another long password' },
    }),
  ...secondFactorDeeds(
    () => api,
    () => token,
    async () => {
      const { body } = await addUser();
      const signedIn = await api.post('/api/v1/auth/login', { json: { email: body.email, password } });
      return { id: body.id, email: body.email, password, token: signedIn.body.token };
    },
  ),
  createApiKey: addKey,
  endApiKey: async () => api.delete(`/api/v1/api-keys/${(await addKey()).body.id}`, { token }),
  createInvitation: invite,
  revokeInvitation: async () =>
    api.delete(`/api/v1/users/invitations/${(await invite()).body.id}`, { token }),
  acceptInvitation: async () =>
    api.post('/api/v1/auth/accept-invitation', { json: { token: (await invite()).body.token, password } }),
  endSession: async () => {
    await signIn();
    const { body } = await api.get('/api/v1/sessions?limit=1', { token });
    return api.delete(`/api/v1/sessions/${body[0].id}`, { token });
  },
  endSessions: async () => api.delete('/api/v1/sessions', { token: (await signIn()).body.token }),
  createUser: addUser,
  updateUser: async () =>
    api.patch(`/api/v1/users/${(await addUser()).body.id}`, {
      token,
      json: { role: 'operator', password: 'yet another long password' },
    }),
  deleteUser: async () => api.delete(`/api/v1/users/${(await addUser()).body.id}`, { token }),
  createManualHost: () =>
    api.post('/api/v1/hosts/manual', { token, json: { display_name: 'A', hostname: 'a.example.org' } }),
  updateHost: async () =>
    api.patch(`/api/v1/hosts/${await fleetOf(api, token).addHost()}`, { token, json: { tags: ['x'] } }),
  deleteHost: async () => api.delete(`/api/v1/hosts/${await fleetOf(api, token).addHost()}`, { token }),
  approveHost: async () => {
    const { id } = await enrol(api, token, { autoApprove: false });
    return api.post(`/api/v1/hosts/${id}/approve`, { token });
  },
  actOnHosts: async () => {
    const hosts = [await fleetOf(api, token).addHost()];
    return api.post('/api/v1/hosts/actions', { token, json: { action: 'retire', hosts } });
  },
  createGroup: addGroup,
  updateGroup: async () =>
    api.patch(`/api/v1/groups/${(await addGroup()).body.id}`, { token, json: { shared: true } }),
  deleteGroup: async () => api.delete(`/api/v1/groups/${(await addGroup()).body.id}`, { token }),
  createSshHost: () => sshFleetOf(api, token).create(),
  createSshHosts: () =>
    api.post('/api/v1/hosts/ssh/batch', {
      token,
      json: { hosts: [{ display_name: 'B', hostname: 'b.example.org', ssh_user: 'plimsoll' }] },
    }),
  pullHostNow: async () => {
    const fleet = sshFleetOf(api, token);
    return fleet.pullNow(await fleet.add());
  },
  acceptHostKey: async () =>
    api.post(`/api/v1/hosts/${await sshFleetOf(api, token).add()}/ssh/accept-host-key`, {
      token,
      json: { fingerprint },
    }),
  rotateSshKey: async () =>
    api.post(`/api/v1/hosts/${await sshFleetOf(api, token).add()}/ssh/rotate-key`, { token }),
  uploadReport: async () => {
    const fleet = fleetOf(api, token);
    return fleet.send(await fleet.addHost(), sampleReport(), { query: '?force=true' });
  },
  setDuePolicy: () => api.put('/api/v1/policies/due-dates', { token, json: { preset: 'by-severity' } }),
  setExposureRules: () =>
    api.put('/api/v1/policies/exposure', {
      token,
      json: { rules: [{ tag: 'web', exposure: 'public' }] },
    }),
  setTagRules: () =>
    api.put('/api/v1/policies/tags', { token, json: { rules: [{ name: 'web-*', tags: ['web'] }] } }),
  createChannel: addChannel,
  updateChannel: async () =>
    api.patch(`/api/v1/channels/${(await addChannel()).body.id}`, {
      token,
      json: { paused: true, secret: 'another battery of sixteen bytes' },
    }),
  deleteChannel: async () => api.delete(`/api/v1/channels/${(await addChannel()).body.id}`, { token }),
  testChannel: async () => {
    const { body } = await addChannel();
    const answer = api.post(`/api/v1/channels/${body.id}/test`, { token });
    // As a notify-worker does.
    const deliver = `UPDATE notification_deliveries SET state = 'delivered', ended_at = now() WHERE event = 'test'`;
    const { pool } = api.database.db;
    await waitFor('the test', async () => ((await pool.query(deliver)).rowCount ?? 0) > 0);
    return answer;
  },
  resendDelivery: async () => {
    const { body } = await addChannel();
    const { rows } = await api.database.db.pool.query<{ id: string }>(
      `INSERT INTO notification_deliveries (id, channel_id, channel_name, channel_kind, route_name, is_limited, event, state,
         items, due_at, next_attempt_at, ended_at)
       VALUES (gen_random_uuid(), $1, 'Chat', 'webhook', 'R', false, 'finding.new', 'failed',
         '{"events": [], "omitted": 0}', now(), now(), now()) RETURNING id`,
      [body.id],
    );
    return api.post(`/api/v1/deliveries/${rows[0]?.id ?? ''}/resend`, { token });
  },
  retryFailedEvent: async () => {
    const { rows } = await api.database.db.pool.query<{ id: string }>(
      `INSERT INTO notification_events (event, host_ids, starts, error, failed_at)
       VALUES ('ledger.knowledge', '{}', 10, 'no number', now()) RETURNING id`,
    );
    return api.post(`/api/v1/failed-events/${rows[0]?.id ?? ''}/retry`, { token });
  },
  createBulletin: addBulletin,
  updateBulletin: async () =>
    api.patch(`/api/v1/bulletins/${(await addBulletin()).body.id}`, { token, json: { paused: true } }),
  deleteBulletin: async () => api.delete(`/api/v1/bulletins/${(await addBulletin()).body.id}`, { token }),
  sendBulletin: async () => api.post(`/api/v1/bulletins/${(await addBulletin()).body.id}/send`, { token }),
  createRoute: addRoute,
  updateRoute: async () =>
    api.patch(`/api/v1/routes/${(await addRoute()).body.id}`, { token, json: { delay_minutes: 5 } }),
  deleteRoute: async () => api.delete(`/api/v1/routes/${(await addRoute()).body.id}`, { token }),
  savePlan,
  createEvidenceKey: () => api.post('/api/v1/evidence/keys', { token }),
  createWaiver: waive,
  importWaivers: importVex,
  updateWaiver: async () =>
    api.patch(`/api/v1/waivers/${(await waive()).body.id}`, { token, json: { reason: 'other' } }),
  endWaiver: async () => api.delete(`/api/v1/waivers/${(await waive()).body.id}`, { token }),
  deleteSavedPlan: async () => api.delete(`/api/v1/saved-plans/${(await savePlan()).body.id}`, { token }),
  createRegistrationToken: addToken,
  revokeRegistrationToken: async () =>
    api.delete(`/api/v1/registration-tokens/${(await addToken()).body.id}`, { token }),
  registerAgent: async () =>
    api.post('/api/v1/agent/register', {
      json: {
        registration_token: (await addToken()).body.token,
        hostname: 'new.example.org',
        machine_id: 'machine-of-new',
      },
    }),
  syncFeed: () => api.post('/api/v1/feeds/debian-osv/sync', { token }),
  importFeed: () =>
    api.post('/api/v1/feeds/import', {
      token,
      bytes: Buffer.from('{"id":"X"}\n'),
      headers: { 'Content-Type': 'application/octet-stream' },
    }),
};
