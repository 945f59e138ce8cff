import { createFleetStore, createHostRetirement, createPullJobStore } from '@plimsoll/db';
import { uploadBytes } from './agent-uploads.ts';
import { apiPerFile, type EnrolledHost, enrol } from './api-under-test.ts';
import { debianPackage, debianRecord, reportingHost } from './debian-fleet.ts';
import { importOsv } from './pipeline.ts';
import { sampleReport } from './sample-report.ts';
import { sampleSnapshot } from './sample-snapshot.ts';
import { sshFleetOf } from './ssh-fleet.ts';

const api = apiPerFile();
let host: EnrolledHost;
const packages = [debianPackage('openssh', '1')];

beforeAll(async () => {
  await importOsv(api.database, [
    debianRecord('DEBIAN-CVE-2024-0001', 'openssh', { fixed: '2', cves: ['CVE-2024-0001'] }),
  ]);
});
beforeEach(async () => {
  host = await reportingHost(api, 'old', { packages });
});
afterEach(() => api.database.db.prisma.host.deleteMany());

const act = async (action: string, ...hosts: readonly string[]) => {
  const answer = await api.admin.post('/api/v1/hosts/actions', { json: { action, hosts } });
  expect(answer.status).toBe(200);
  return answer.body;
};
const read = async (path: string) => (await api.admin.get(`/api/v1${path}`)).body;
const upload = (from: EnrolledHost) => uploadBytes(api, from, sampleSnapshot());

describe('a retired host', () => {
  it('leaves every list and total, and is listed when asked for', async () => {
    await reportingHost(api, 'kept', { packages });
    const paths = [
      '/hosts',
      '/hosts?q=old',
      '/advisories/DEBIAN-CVE-2024-0001/hosts',
      '/packages?name=openssh',
      '/cves/CVE-2024-0001/hosts',
      '/inventory/ansible',
    ];
    const before = await read('/fleet/summary');
    expect([before.hosts, before.hosts_with.findings]).toEqual([2, 2]);
    expect((await act('retire', host.id)).done).toBe(1);
    const after = await read('/fleet/summary');
    expect([after.hosts, after.pending_approvals, after.hosts_with.findings]).toEqual([1, 0, 1]);
    for (const path of paths) {
      const text = JSON.stringify(await read(path));
      expect([path, text.includes(host.id), text.includes('kept')]).toEqual([
        path,
        false,
        !path.includes('old'),
      ]);
    }
    const listed = await api.admin.get('/api/v1/hosts?retired=true&limit=1');
    expect(listed.headers['x-total-count']).toBe('1');
    expect(listed.body).toEqual([
      expect.objectContaining({
        id: host.id,
        approval_status: 'retired',
        retired_at: expect.any(String),
        unrated_count: 1,
      }),
    ]);
  });

  it('leaves the totals that the scheduler stores for the day', async () => {
    await act('retire', host.id);
    await createFleetStore(api.database.as('scheduler')).noteDay(new Date());
    const [day] = await api.context.stores.fleet.days('2020-01-01');
    expect([day?.totals.hosts, day?.totals.pendingApprovals]).toEqual([0, 0]);
  });

  it('keeps its snapshots, findings and history', async () => {
    const before = await read(`/hosts/${host.id}/packages/vulnerable`);
    await act('retire', host.id);
    expect(await read(`/hosts/${host.id}/packages/vulnerable`)).toEqual(before);
    expect(await read(`/hosts/${host.id}/snapshots`)).toHaveLength(1);
    expect((await read(`/hosts/${host.id}/exposures`)).length).toBe(1);
    expect(await read(`/hosts/${host.id}`)).toMatchObject({ id: host.id, approval_status: 'retired' });
  });

  it('has its uploads refused, by agents and by people', async () => {
    const again = await api.admin.post('/api/v1/registration-tokens', {
      json: { name: 'again', host_id: host.id },
    });
    await act('retire', host.id);
    const sent = await upload(host);
    expect([sent.status, sent.body.code]).toEqual([409, 'host_retired']);
    const config = await api.get('/api/v1/agent/config', { token: host.token });
    expect(config.body.code).toBe('host_retired');
    const report = await api.admin.post(`/api/v1/hosts/${host.id}/report`, {
      bytes: Buffer.from(sampleReport()),
      headers: { 'Content-Type': 'text/plain' },
    });
    expect([report.status, report.body.code]).toEqual([409, 'host_retired']);
    expect(await read(`/hosts/${host.id}/uploads`)).toHaveLength(1);
    const register = { registration_token: again.body.token, hostname: 'old', machine_id: 'of-old' };
    expect((await api.post('/api/v1/agent/register', { json: register })).status).toBe(401);
    const another = await api.admin.post('/api/v1/registration-tokens', {
      json: { name: 'another', host_id: host.id },
    });
    expect(another.body.code).toBe('host_retired');
    const approved = await api.admin.post(`/api/v1/hosts/${host.id}/approve`);
    expect([approved.status, approved.body.code]).toEqual([409, 'host_retired']);
  });

  it('does not make a new host with its machine id wait for approval', async () => {
    const machineId = 'abcdefabcdefabcdefabcdefabcdefab';
    const first = await enrol(api, { hostname: 'first.example.org', machineId });
    await act('retire', first.id);
    const second = await enrol(api, { hostname: 'second.example.org', machineId });
    expect(await read(`/hosts/${second.id}`)).toMatchObject({
      approval_status: 'approved',
      machine_id_conflict_with: null,
    });
    await act('reinstate', first.id);
    expect(await read(`/hosts/${first.id}`)).toMatchObject({
      approval_status: 'pending',
      machine_id_conflict_with: second.id,
    });
  });

  it('comes back with its history, and needs a new token', async () => {
    await act('retire', host.id);
    expect((await act('reinstate', host.id)).done).toBe(1);
    expect((await read('/hosts')).map(({ id }: { id: string }) => id)).toEqual([host.id]);
    expect((await upload(host)).status).toBe(401);
    const issued = await api.admin.post('/api/v1/registration-tokens', {
      json: { name: 'back', host_id: host.id },
    });
    const json = { registration_token: issued.body.token, hostname: 'old', machine_id: 'of-old' };
    const { body } = await api.post('/api/v1/agent/register', { json });
    expect(body.host_id).toBe(host.id);
    expect((await upload({ ...host, token: body.host_access_token })).status).toBe(202);
  });

  it('is not pulled: open pulls are cancelled, and what a running visit brings is refused', async () => {
    const fleet = sshFleetOf(api);
    const id = await fleet.add();
    const run = await fleet.begin((await fleet.pullNow(id)).body.id);
    await act('retire', id);
    expect((await fleet.jobsOf(id))[0].status).toBe('cancelled');
    await expect(fleet.succeed(run)).rejects.toThrow();
    expect(await read(`/hosts/${id}/uploads`)).toEqual([]);
    expect((await fleet.pullNow(id)).body.code).toBe('host_retired');
    await api.database.db.pool.query(`UPDATE ssh_targets SET next_pull_at = now() - interval '1 hour'`);
    const pulls = createPullJobStore(api.database.as('scheduler'));
    expect([await pulls.spreadOverdue(60, 10), (await pulls.claimDue(10)).hosts]).toEqual([0, 0]);
    await act('reinstate', id);
    expect((await fleet.pullNow(id)).status).toBe(202);
  });
});

describe('time to patch', () => {
  it('keeps what a retired host had closed, and drops what it had open', async () => {
    const path = '/fleet/time-to-patch?from=2026-01-01T00:00:00Z';
    const before = await read(path);
    expect([before.hosts, before.by_severity.unrated.open]).toEqual([1, 1]);
    await act('retire', host.id);
    const after = await read(path);
    expect([after.hosts, after.by_severity.unrated.open]).toEqual([1, 0]);
    const later = await read(`/fleet/time-to-patch?from=${new Date(Date.now() + 1_000).toISOString()}`);
    expect(later.hosts ?? 0).toBe(0);
  });
});

describe('hosts that are silent', () => {
  it('are retired after some days, unless the service itself did not run', async () => {
    const { pool } = api.database.db;
    const retirement = createHostRetirement(api.database.as('scheduler'));
    const kept = await reportingHost(api, 'kept', { packages });
    await pool.query(
      `UPDATE host_contacts SET last_seen_at = now() - interval '31 days' WHERE host_id = $1`,
      [host.id],
    );
    await pool.query('DELETE FROM fleet_days');
    expect(await retirement.retireSilent(30, new Date())).toEqual({ retired: 0, heldBack: 1 });
    await pool.query(
      `INSERT INTO fleet_days (day, noted_at, totals)
       SELECT (now() AT TIME ZONE 'UTC')::date - n, now(), '{}' FROM generate_series(0, 6) n`,
    );
    expect(await retirement.retireSilent(40, new Date())).toEqual({ retired: 0, heldBack: 0 });
    // Silence of most hosts, now or on one of the last days, does not mean that hosts were switched off.
    const silence = async (id: string, days: number) =>
      pool.query(
        `UPDATE host_contacts SET last_seen_at = now() - make_interval(days => $2) WHERE host_id = $1`,
        [id, days],
      );
    await silence(kept.id, 8);
    expect(await retirement.retireSilent(30, new Date())).toEqual({ retired: 0, heldBack: 1 });
    await silence(kept.id, 0);
    const noted = (totals: object) =>
      pool.query(`UPDATE fleet_days SET totals = $1 WHERE day = (now() AT TIME ZONE 'UTC')::date - 3`, [
        totals,
      ]);
    await noted({ hosts: 10, byStatus: { stale: 4, unreachable: 2 } });
    expect(await retirement.retireSilent(30, new Date())).toEqual({ retired: 0, heldBack: 1 });
    await noted({ hosts: 10, byStatus: { stale: 3, unreachable: 2 } });
    const paused = await sshFleetOf(api).add();
    await silence(paused, 31);
    await pool.query('UPDATE ssh_targets SET pull_paused = true WHERE host_id = $1', [paused]);
    expect(await retirement.retireSilent(30, new Date())).toEqual({ retired: 1, heldBack: 0 });
    await pool.query('DELETE FROM fleet_days');
    expect((await read('/hosts')).map(({ id }: { id: string }) => id).sort()).toEqual(
      [kept.id, paused].sort(),
    );
    const [event] = await read(`/audit-events?target_id=${host.id}&action=host.retired`);
    expect(event).toMatchObject({ actor_kind: 'system', details: { silent_days: 30 } });
  });
});
