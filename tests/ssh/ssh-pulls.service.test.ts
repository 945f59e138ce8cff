import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import {
  type Client,
  createSshdHostKey,
  createTestDatabase,
  describeWhere,
  setUpClient,
  sshdPath,
  startService,
  startSshd,
  type TestDatabase,
  type TestService,
  type TestSshd,
  testRedisUrl,
  waitFor,
} from '@plimsoll/testing';
import { type AddedHost, addHost, pullNow, pullsOf } from './pulled-hosts.ts';

const run = promisify(execFile);
const projectDir = path.resolve(__dirname, '../..');
const agent = path.join(projectDir, 'apps/agent/dist/plimsoll-agent');
const cli = path.join(projectDir, 'apps/cli/bin/plimsoll.mjs');

/** All shown data of a host's patch state, without its own times and ids. */
async function stateOf(client: Client, id: string) {
  const [packages, vulnerable, upgradable, kernel, host] = await Promise.all(
    [
      '/packages',
      '/packages/vulnerable?include_unfixed=true',
      '/packages/upgradable',
      '/kernel-posture',
      '',
    ].map(async (what) => (await client.get(`/hosts/${id}${what}`)).body),
  );
  const { os_name, os_version, architecture, available_updates, needs_reboot, needs_restart, coverage } =
    host as Record<string, unknown>;
  return {
    ...{ packages, vulnerable, upgradable, kernel },
    host: { os_name, os_version, architecture, available_updates, needs_reboot, needs_restart, coverage },
  };
}

describeWhere(sshdPath() === null ? ['sshd'] : [], 'pulls by the whole service', () => {
  let database: TestDatabase;
  let service: TestService;
  let client: Client;
  let sshd: TestSshd;
  let folder: string;
  /** The report of this machine's agent, and its file. */
  let report: string;
  let reportFile: string;

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-pulls-'));
    report = (await run('sh', [agent, 'report'], { maxBuffer: 64 * 1024 * 1024 })).stdout;
    reportFile = path.join(folder, 'report');
    await writeFile(reportFile, report);
    database = await createTestDatabase();
    const redisUrl = testRedisUrl();
    service = await startService({
      projectDir,
      databaseUrl: database.url,
      queue: redisUrl === null ? { kind: 'postgres' } : { kind: 'redis', url: redisUrl },
      env: {
        PLIMSOLL_SSH_ALLOWED_NETWORKS: '127.0.0.0/8,::1',
        PLIMSOLL_SSH_CONNECT_TIMEOUT_SECONDS: '5',
      },
    });
    client = await setUpClient(service.url);
    sshd = await startSshd();
  });
  afterAll(async () => {
    await sshd.stop();
    await service.stop();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });

  const lines = (...hosts: readonly AddedHost[]) =>
    sshd.setAuthorizedKeys(`${hosts.map((host) => host.authorized_keys_line).join('\n')}\n`);

  /** Admits hosts that answer with the report, marking begin and end, without running the collector. */
  const answering = (hosts: readonly AddedHost[], seconds = 0) => {
    const answer = ({ host: { id } }: AddedHost) =>
      `exec /bin/sh -c 'echo begin >>${folder}/${id}; head -c 300000 >/dev/null; sleep ${seconds}; cat ${reportFile} && echo end >>${folder}/${id}'`;
    return hosts.map((added) => `restrict,command="${answer(added)}" ${added.public_key}\n`).join('');
  };

  it('show the same as the agent of the same machine', async () => {
    const added = await addHost(client, sshd);
    await lines(added);
    expect(await pullNow(client, added.host.id)).toMatchObject({ status: 'succeeded', error_code: null });

    const manual = await client.send('POST', '/hosts/manual', { display_name: 'm', hostname: 'm' });
    const { id } = manual.body as { id: string };
    const answer = await fetch(`${service.url}/api/v1/hosts/${id}/report?force=true`, {
      method: 'POST',
      headers: { authorization: client.authorization, 'content-type': 'text/plain', prefer: 'wait=30' },
      body: report,
    });
    expect(answer.status).toBe(200);

    const pulled = await stateOf(client, added.host.id);
    expect(pulled.packages).not.toEqual([]);
    // The sshd and shell of the pull itself may be among the processes that use old files.
    expect(pulled).toEqual(await stateOf(client, id));
    const detail = (await client.get(`/hosts/${added.host.id}`)).body as Record<
      string,
      Record<string, unknown>
    >;
    expect(detail['status']).toBe('active');
    expect(detail['ssh']).toMatchObject({
      host_key_type: 'ssh-ed25519',
      host_key_fingerprint: sshd.hostKeys[0]?.fingerprint,
      collector_outdated: false,
    });
    expect(detail['ssh']?.['collector_pin']).toMatch(/^[0-9a-f]{64}$/);
  });

  it('run automatically for a host whose key is installed', async () => {
    const added = await addHost(client, sshd);
    await sshd.setAuthorizedKeys(`${added.public_key}\n`);
    await database.db.prisma.sshTarget.update({
      where: { hostId: added.host.id },
      data: { nextPullAt: new Date() },
    });
    await waitFor(
      'the scheduled pull',
      async () => (await pullsOf(client, added.host.id))[0]?.status === 'succeeded',
      {
        timeoutMs: 60_000,
      },
    );
    expect((await pullsOf(client, added.host.id))[0]).toMatchObject({ trigger: 'schedule' });
  });

  it('fail with a code and a sentence, and keep the host new before the first success', async () => {
    const added = await addHost(client, sshd, { unique_key_pair: true });
    const refused = await pullNow(client, added.host.id);
    expect(refused).toMatchObject({ status: 'failed', error_code: 'auth_failed', snapshot_id: null });
    expect(refused.error_message).toMatch(/authorized_keys/);
    const closed = await addHost(client, { port: 1 });
    expect(await pullNow(client, closed.host.id)).toMatchObject({ error_code: 'connect_refused' });
    const metadata = await addHost(client, sshd, { hostname: '169.254.169.254' });
    expect(await pullNow(client, metadata.host.id)).toMatchObject({ error_code: 'address_refused' });
    for (const { host } of [added, closed, metadata]) {
      expect((await client.get(`/hosts/${host.id}`)).body).toMatchObject({ status: 'new' });
    }
  });

  it('stop at a changed host key until an admin accepts it, and record it in the audit log', async () => {
    const added = await addHost(client, sshd);
    await sshd.setAuthorizedKeys(answering([added]));
    expect((await pullNow(client, added.host.id)).status).toBe('succeeded');
    const other = await startSshd({ hostKeys: [await createSshdHostKey('ed25519')], logLevel: 'DEBUG3' });
    try {
      await other.setAuthorizedKeys(answering([added]));
      await client.send('PATCH', `/hosts/${added.host.id}`, { port: other.port });
      expect((await pullNow(client, added.host.id)).error_code).toBe('host_key_mismatch');
      expect(other.log()).not.toContain('userauth-request');
      const fingerprint = other.hostKeys[0]?.fingerprint;
      expect((await client.get(`/hosts/${added.host.id}`)).body).toMatchObject({
        ssh: { other_host_key: { type: 'ssh-ed25519', fingerprint } },
      });
      const events = (await client.get('/audit-events?limit=1')).body;
      expect(events).toEqual([
        expect.objectContaining({ action: 'ssh.host_key_changed', host_id: added.host.id }),
      ]);
      await client.send('POST', `/hosts/${added.host.id}/ssh/accept-host-key`, { fingerprint });
      expect((await pullNow(client, added.host.id)).status).toBe('succeeded');
    } finally {
      await other.stop();
    }
  });

  it('continue while the keys that protect the private halves are rotated', async () => {
    const added = await addHost(client, sshd, { unique_key_pair: true });
    await sshd.setAuthorizedKeys(answering([added]));
    expect((await pullNow(client, added.host.id)).status).toBe('succeeded');
    const before = await readFile(service.sealingKeys.publicKeyFile, 'utf8');
    const { keysFile, publicKeyFile } = service.sealingKeys;
    // Without --keep-old it would wait half a minute for work in progress of APIs.
    const rotation = run(process.execPath, [cli, 'secrets', 'rotate', '--keep-old'], {
      cwd: folder,
      env: {
        PATH: process.env['PATH'],
        PLIMSOLL_CONFIG: '',
        PLIMSOLL_DATABASE_URL: database.url,
        PLIMSOLL_SSH_SEALING_KEYS_FILE: keysFile,
        PLIMSOLL_SSH_SEALING_PUBLIC_KEY_FILE: publicKeyFile,
      },
    });
    let rotating = true;
    const ended = rotation.finally(() => {
      rotating = false;
    });
    do {
      expect((await pullNow(client, added.host.id)).status).toBe('succeeded');
    } while (rotating);
    await ended;
    expect(await readFile(publicKeyFile, 'utf8')).not.toBe(before);
    expect((await pullNow(client, added.host.id)).status).toBe('succeeded');
    const fresh = await addHost(client, sshd, { unique_key_pair: true });
    await sshd.setAuthorizedKeys(answering([fresh]));
    expect((await pullNow(client, fresh.host.id)).status).toBe('succeeded');
  });

  it('all end when a worker is killed midway, and none runs twice at the same time', async () => {
    const hosts = await Promise.all(
      Array.from({ length: 24 }, (_, index) =>
        addHost(client, sshd, { display_name: `h${index}`, unique_key_pair: true }),
      ),
    );
    // Each visit marks its start; a second visit that finds a fresh mark would overlap the first.
    await sshd.setAuthorizedKeys(answering(hosts, 3));
    await Promise.all(hosts.map(({ host }) => client.send('POST', `/hosts/${host.id}/pull-now`)));
    const [victim] = service.processes('ssh-worker');
    service.start('ssh-worker');
    const begun = async () =>
      (await database.db.prisma.pullJob.count({ where: { status: 'running', uploadId: null } })) > 5;
    await waitFor('pulls under way', begun);
    victim?.kill('SIGKILL');
    const open = () => database.db.prisma.pullJob.count({ where: { status: { in: ['queued', 'running'] } } });
    await waitFor('the end of every pull', async () => (await open()) === 0, { timeoutMs: 100_000 });
    for (const { host } of hosts) {
      expect(await pullsOf(client, host.id)).toEqual([
        expect.objectContaining({ status: 'succeeded', error_code: null }),
      ]);
    }
    const starts = await database.db.prisma.pullJob.findMany({
      where: { hostId: { in: hosts.map(({ host }) => host.id) } },
      select: { starts: true },
    });
    expect(starts.some((job) => job.starts === 2)).toBe(true);
    expect(starts.every((job) => job.starts <= 2)).toBe(true);
  });
});
