import { apiPerFile, enrol } from './api-under-test.ts';
import { type EnrolmentRequests, enrolmentRequests } from './enrolment-requests.ts';

const api = apiPerFile();
let issue: EnrolmentRequests['issue'];
let register: EnrolmentRequests['register'];
let hostOf: EnrolmentRequests['hostOf'];

beforeAll(async () => {
  ({ issue, register, hostOf } = enrolmentRequests(api));
});

describe('an enrolment', () => {
  it("makes a pending host with the agent's data", async () => {
    const answer = await register((await issue()).token, {
      hostname: 'Web-1.example.org',
      metadata: {
        ip_address: '2001:db8::7',
        os_name: 'Debian',
        os_version: '12.8',
        architecture: 'amd64',
        future: 1,
      },
      future: [],
    });
    expect(answer.body).toMatchObject({ approval_status: 'pending', report_interval_seconds: 3600 });
    expect(answer.body.host_access_token).toMatch(/^plh_[\w-]{43}$/);
    const host = await hostOf(answer.body.host_id);
    expect(host).toMatchObject({
      onboarding_mode: 'agent',
      approval_status: 'pending',
      display_name: 'Web-1.example.org',
      hostname: 'Web-1.example.org',
      os_family: 'apt',
      os_name: 'debian',
      os_major: 12,
      os_version: '12.8',
      architecture: 'amd64',
      status: 'new',
      overall_action: 'unknown',
      ip_address: '2001:db8::7',
      machine_id_conflict_with: null,
      ssh: null,
      tags: [],
      needs_reboot: 0,
      snapshot_collected_at: null,
    });
    expect(host.last_seen_at).toBe(host.created_at);
  });

  it.each([
    ['debian', '12.8', 'apt', 12],
    ['ubuntu', '22.04', 'apt', 22],
    ['raspbian', '11', 'apt', 11],
    ['linuxmint', '21.3', 'apt', 21],
    ['kali', '2024.1', 'apt', 2024],
    ['pop', '22.04', 'apt', 22],
    ['rhel', '9.4', 'rpm', 9],
    ['centos', '7', 'rpm', 7],
    ['almalinux', '8.10', 'rpm', 8],
    ['rocky', '9.4', 'rpm', 9],
    ['ol', '8.10', 'rpm', 8],
    ['fedora', '42', 'rpm', 42],
    ['amzn', '2023', 'rpm', 2023],
    ['sles', '15.6', 'rpm', 15],
    ['opensuse-leap', '15.6', 'rpm', 15],
    ['alpine', '3.20', 'unknown', 3],
    ['debian', 'trixie/sid', 'apt', 0],
    ['debian', '99999999999', 'apt', 0],
    ['', '', 'unknown', 0],
  ])('of %s %s is of the family %s, major %i', async (os_name, os_version, os_family, os_major) => {
    const answer = await register((await issue()).token, { metadata: { os_name, os_version } });
    expect(await hostOf(answer.body.host_id)).toMatchObject({ os_family, os_major, os_name });
  });

  it('needs no metadata', async () => {
    const answer = await register((await issue()).token);
    expect(await hostOf(answer.body.host_id)).toMatchObject({
      os_family: 'unknown',
      os_name: '',
      ip_address: null,
    });
  });

  it('with an unknown, used, expired or revoked token gets the same answer', async () => {
    const [used, expired, revoked] = [await issue(), await issue({ expires_in_hours: 1 }), await issue()];
    expect((await register(used.token)).status).toBe(201);
    await api.database.db.prisma.registrationToken.update({
      where: { id: expired.id },
      data: { expiresAt: new Date(0) },
    });
    expect((await api.admin.delete(`/api/v1/registration-tokens/${revoked.id}`)).status).toBe(204);
    expect((await api.admin.delete(`/api/v1/registration-tokens/${revoked.id}`)).status).toBe(204);
    const unknown = `plr_${'A'.repeat(43)}`;
    const answers = [];
    for (const wrong of [unknown, 'x', used.token, expired.token, revoked.token, api.admin.token])
      answers.push(await register(wrong));
    for (const { status, body } of answers) {
      expect({ status, ...body, request_id: '' }).toEqual({
        ...answers[0]?.body,
        status: 401,
        request_id: '',
      });
      expect(body.code).toBe('invalid_registration_token');
    }
  });

  it('succeeds for exactly one of twenty simultaneous uses of a token', async () => {
    const { token: once } = await issue();
    const answers = await Promise.all(Array.from({ length: 20 }, () => register(once)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(401)]);
  });

  it('succeeds for exactly as many hosts as the token allows', async () => {
    const { token: thrice } = await issue({ max_uses: 3 });
    const answers = await Promise.all(Array.from({ length: 10 }, () => register(thrice)));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3);
  });

  it('with an existing machine id makes a second, pending host and does not change the first', async () => {
    const first = await enrol(api, { machineId: 'clone' });
    const answer = await register((await issue({ auto_approve: true })).token, { machine_id: 'clone' });
    expect(answer.body.approval_status).toBe('pending');
    expect(await hostOf(answer.body.host_id)).toMatchObject({
      machine_id: 'clone',
      machine_id_conflict_with: first.id,
    });
    expect((await api.get('/api/v1/agent/config', { token: first.token })).status).toBe(200);
  });

  it('of two clones at the same moment makes one that is pending', async () => {
    const { token: twice } = await issue({ auto_approve: true, max_uses: 2 });
    const both = await Promise.all([1, 2].map(() => register(twice, { machine_id: 'clone-at-once' })));
    expect(both.map(({ body }) => body.approval_status).sort()).toEqual(['approved', 'pending']);
  });

  it('with a token issued for a host takes over that host and revokes its old token', async () => {
    const first = await enrol(api, { machineId: 'reinstalled' });
    const again = await register((await issue({ host_id: first.id })).token, { machine_id: 'reinstalled' });
    expect(again.body.host_id).toBe(first.id);
    expect((await api.get('/api/v1/agent/config', { token: first.token })).status).toBe(401);
    expect((await api.get('/api/v1/agent/config', { token: again.body.host_access_token })).status).toBe(200);
  });

  it('with a token issued for a host waits for approval if the machine id belongs to a third host', async () => {
    const victim = await enrol(api, { machineId: 'VICTIM-mid' });
    const first = await enrol(api, { machineId: 'hijacker' });
    const again = await register((await issue({ host_id: first.id })).token, { machine_id: 'victim-MID' });
    expect(again.body).toMatchObject({ host_id: first.id, approval_status: 'pending' });
    expect(await hostOf(first.id)).toMatchObject({ machine_id_conflict_with: victim.id });
    expect(await hostOf(victim.id)).toMatchObject({
      machine_id: 'VICTIM-mid',
      machine_id_conflict_with: null,
      approval_status: 'approved',
    });
    // Once an admin has approved it, enrolling again with its current id needs no other approval.
    await api.admin.post(`/api/v1/hosts/${first.id}/approve`);
    const third = await register((await issue({ host_id: first.id })).token, { machine_id: 'victim-mid' });
    expect(third.body.approval_status).toBe('approved');
    expect((await hostOf(first.id)).machine_id_conflict_with).toBe(victim.id);
  });

  it.each([
    ['B08DFA6083E7567A1921A715000001FA', 'b08dfa6083e7567a1921a715000001fa'],
    ['b08dfa60-83e7-567a-1921-a715000001fb', 'b08dfa6083e7567a1921a715000001fb'],
    ['b08dfa6083e7567a1921a715000001fc', '{B08DFA60-83E7-567A-1921-A715000001FC}'],
    ['MID.of-A-clone', 'mid.OF-a-clone'],
  ])('of the machine id %s is in conflict with %s', async (before, after) => {
    const first = await enrol(api, { machineId: before });
    const { body } = await register((await issue({ auto_approve: true })).token, { machine_id: after });
    expect(body.approval_status).toBe('pending');
    expect((await hostOf(body.host_id)).machine_id_conflict_with).toBe(first.id);
  });

  it('with the Idempotency-Key of a host that used its token makes another host, which has that key from then on', async () => {
    const { token: thrice } = await issue({ max_uses: 3 });
    const key = { 'Idempotency-Key': 'a-copied-one' };
    const first = await register(thrice, { machine_id: 'image' }, key);
    expect((await api.get('/api/v1/agent/config', { token: first.body.host_access_token })).status).toBe(200);
    const second = await register(thrice, { machine_id: 'copy-of-image' }, key);
    expect(second.status).toBe(201);
    expect(second.body.host_id).not.toBe(first.body.host_id);
    const repeated = await register(thrice, { machine_id: 'copy-of-image' }, key);
    expect(repeated.body.host_id).toBe(second.body.host_id);
    const config = (host: { readonly body: { readonly host_access_token: string } }) =>
      api.get('/api/v1/agent/config', { token: host.body.host_access_token });
    expect((await config(first)).status).toBe(200);
    expect((await config(second)).status).toBe(401);
    const copies = await Promise.all([1, 2, 3].map(() => register(thrice, { machine_id: 'at-once' }, key)));
    // A copy that arrives before the earlier one used its token counts as a repetition: neither is an error.
    expect(copies.filter(({ status }) => status === 201).length).toBeGreaterThan(0);
    expect(copies.filter(({ status }) => status !== 201 && status !== 401)).toEqual([]);
  });

  it('repeated with its Idempotency-Key is the same host with a new token, until the token was used', async () => {
    const { token: once } = await issue();
    const key = { 'Idempotency-Key': 'a-random-one' };
    const first = await register(once, { machine_id: 'lost' }, key);
    const second = await register(once, { machine_id: 'lost' }, key);
    expect(second.body.host_id).toBe(first.body.host_id);
    expect((await register(once, { machine_id: 'lost' }, { 'Idempotency-Key': 'another' })).status).toBe(401);
    expect((await api.get('/api/v1/agent/config', { token: first.body.host_access_token })).status).toBe(401);
    expect((await api.get('/api/v1/agent/config', { token: second.body.host_access_token })).status).toBe(
      200,
    );
    expect((await register(once, { machine_id: 'lost' }, key)).status).toBe(401);
  });

  it.each(['', 'a b', 'x'.repeat(256)])('is refused the Idempotency-Key %j', async (key) => {
    const answer = await register((await issue()).token, {}, { 'Idempotency-Key': key });
    expect(answer.body.code).toBe('bad_request');
  });
});

describe('the status that a host gets about itself', () => {
  it('has nothing that is not known', async () => {
    const { body } = await register((await issue()).token, {
      metadata: { os_name: 'debian', os_version: '12', architecture: 'amd64' },
    });
    const status = await api.get('/api/v1/agent/status', { token: body.host_access_token });
    expect(status.body).toEqual({
      host_id: body.host_id,
      approval_status: 'pending',
      os_name: 'debian',
      os_version: '12',
      architecture: 'amd64',
      package_count: null,
      available_updates: null,
      updates_state: 'unknown',
      upload_id: null,
      upload_state: null,
      upload_error: null,
    });
  });
});

describe('the configuration of an agent', () => {
  it('gives the report interval, and counts as contact', async () => {
    const host = await enrol(api);
    const before = await hostOf(host.id);
    const answer = await api.get('/api/v1/agent/config', { token: host.token });
    expect(answer.body).toEqual({
      report_interval_seconds: 3600,
      newest_agent_version: api.context.scripts.agentVersion,
    });
    expect(Date.parse((await hostOf(host.id)).last_seen_at)).toBeGreaterThan(Date.parse(before.last_seen_at));
  });
});
