import { authorizedKeysLine } from '@plimsoll/ssh';
import { adminEmail, apiPerFile, enrol } from './api-under-test.ts';
import { newMachineId } from './fleet.ts';
import { sampleReport } from './sample-report.ts';
import { givenKey, newHost, type SshFleet, seenKey, sshFleetOf } from './ssh-fleet.ts';

const api = apiPerFile();
let fleet: SshFleet;

beforeAll(async () => {
  fleet = sshFleetOf(api);
});

describe('the key of a host that changed', () => {
  const accept = (id: string, fingerprint: string) =>
    api.admin.post(`/api/v1/hosts/${id}/ssh/accept-host-key`, { json: { fingerprint } });

  it('is shown beside the pinned one, and pinned by an admin who accepts it', async () => {
    const id = await fleet.add({ host_key_fingerprint: givenKey });
    await fleet.failPull(id, {
      code: 'host_key_mismatch',
      otherHostKey: { type: 'ssh-ed25519', fingerprint: seenKey },
    });
    expect((await fleet.hostOf(id)).ssh).toMatchObject({
      host_key_fingerprint: givenKey,
      other_host_key: { type: 'ssh-ed25519', fingerprint: seenKey, seen_at: expect.any(String) },
      failures: 1,
    });
    const answer = await accept(id, `${seenKey}=`);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual(await fleet.hostOf(id));
    expect(answer.body.ssh).toMatchObject({
      host_key_type: 'ssh-ed25519',
      host_key_fingerprint: seenKey,
      other_host_key: null,
    });
    const { body: events } = await api.admin.get('/api/v1/audit-events?action=ssh.');
    const { body: me } = await api.admin.get('/api/v1/auth/me');
    expect(events.slice(0, 2)).toEqual([
      expect.objectContaining({
        id: expect.any(String),
        at: expect.any(String),
        action: 'ssh.host_key_accepted',
        actor_id: me.id,
        actor_name: adminEmail,
        ip_address: '127.0.0.1',
        host_id: id,
        host_name: newHost.display_name,
        details: { fingerprint: seenKey, before: givenKey },
      }),
      expect.objectContaining({
        action: 'ssh.host_key_changed',
        actor_id: null,
        actor_name: 'ssh-worker',
        ip_address: null,
        host_id: id,
        details: { pinned: givenKey, type: 'ssh-ed25519', fingerprint: seenKey },
      }),
    ]);
  });

  it('may be one that was never seen: its type is learned at the next pull', async () => {
    const id = await fleet.add();
    expect((await accept(id, givenKey)).body.ssh).toMatchObject({
      host_key_type: null,
      host_key_fingerprint: givenKey,
      host_key_pinned_at: expect.any(String),
    });
  });

  it('is not accepted without a fingerprint, or for a host that is not pulled', async () => {
    const id = await fleet.add();
    for (const json of [{}, { fingerprint: 'x' }, { fingerprint: givenKey, type: 'ssh-rsa' }]) {
      expect((await api.admin.post(`/api/v1/hosts/${id}/ssh/accept-host-key`, { json })).status).toBe(422);
    }
    const agent = await enrol(api);
    expect((await accept(agent.id, givenKey)).body.code).toBe('not_an_ssh_host');
  });
});

describe('a pulled host that was installed anew', () => {
  it('has the machine id of its newest report, unless that is the one of another host', async () => {
    const id = await fleet.add();
    const machineOf = async (machineId: string) => {
      const run = await fleet.begin((await fleet.pullNow(id)).body.id);
      await fleet.succeed(run, null, sampleReport({ machineId }));
      const { machine_id, machine_id_conflict_with } = await fleet.hostOf(id);
      return [machine_id, machine_id_conflict_with];
    };
    const [first, second, others] = [newMachineId(), newMachineId(), newMachineId()];
    expect(await machineOf(first)).toEqual([first, null]);
    expect(await machineOf(second)).toEqual([second, null]);
    const agent = await enrol(api, { hostname: 'other.example.org', machineId: others });
    expect(await machineOf(others)).toEqual([second, agent.id]);
  });
});

describe('a rotated key', () => {
  const rotate = (id: string) => api.admin.post(`/api/v1/hosts/${id}/ssh/rotate-key`);

  it('is a new one for this host only, and the old one is tried too until the new one has worked', async () => {
    const created = await fleet.create();
    const { id } = created.body.host;
    const { status, body } = await rotate(id);
    expect([status, body.host.id]).toEqual([200, id]);
    expect(body.public_key).not.toBe(created.body.public_key);
    expect(body.authorized_keys_line).toBe(authorizedKeysLine(body.public_key, fleet.collectorHash()));
    expect((await fleet.hostOf(id)).ssh).toMatchObject({
      unique_key_pair: true,
      public_key: body.public_key,
      public_key_fingerprint: body.public_key_fingerprint,
      authorized_keys_line: body.authorized_keys_line,
    });
    const run = await fleet.begin((await fleet.pullNow(id)).body.id);
    expect(run.keyPairs).toHaveLength(2);
    await fleet.succeed(run);
    expect((await fleet.begin((await fleet.pullNow(id)).body.id)).keyPairs).toHaveLength(1);
    // The other hosts still have the installation's pair.
    expect((await fleet.create()).body.public_key).toBe(created.body.public_key);
    const { body: events } = await api.admin.get('/api/v1/audit-events?limit=1&action=ssh.');
    expect(events).toEqual([
      expect.objectContaining({
        action: 'ssh.key_rotated',
        actor_name: adminEmail,
        host_id: id,
        details: {},
      }),
    ]);
  });

  it('that is rotated again and again leaves at most two pairs', async () => {
    const id = await fleet.add({ unique_key_pair: true });
    for (let n = 0; n < 3; n += 1) expect((await rotate(id)).status).toBe(200);
    expect((await fleet.rowsOf(id))['pairs']).toBe(2);
  });

  it('is refused for a host that is not pulled', async () => {
    const { id } = await enrol(api);
    expect((await rotate(id)).body.code).toBe('not_an_ssh_host');
  });
});
