import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type Client,
  createTestDatabase,
  describeWhere,
  setUpClient,
  startService,
  type TestDatabase,
  type TestService,
  waitFor,
} from '@plimsoll/testing';

const projectDir = path.resolve(__dirname, '../..');
const script = path.join(projectDir, 'apps/agent/dist/plimsoll-agent');
/** The agent reports this machine: without Debian, Ubuntu or an rpm distribution there is nothing to test. */
const isKnownHost = existsSync('/usr/bin/dpkg-query') || existsSync('/usr/bin/rpm');

let database: TestDatabase;
let service: TestService;
let client: Client;
const states: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  service = await startService({ projectDir, databaseUrl: database.url, queue: { kind: 'postgres' } });
  client = await setUpClient(service.url);
});
afterAll(async () => {
  await service.stop();
  await database.drop();
  await Promise.all(states.map((folder) => rm(folder, { recursive: true, force: true })));
});

interface Run {
  readonly status: number;
  readonly stderr: string;
}

/** A separate agent, with its state in a folder of the test. */
interface Agent {
  readonly state: string;
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Run>;
}

async function newAgent(): Promise<Agent> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-agent-test-'));
  states.push(folder);
  // The agent's waits between attempts are shortened here.
  const hurried = path.join(folder, 'bin');
  await mkdir(hurried);
  await writeFile(path.join(hurried, 'sleep'), '#!/bin/sh\nexit 0\n', { mode: 0o755 });
  const state = path.join(folder, 'state');
  const run: Agent['run'] = (args, env = {}) =>
    new Promise((resolve) => {
      execFile(
        '/bin/sh',
        [script, ...args],
        {
          env: { PATH: `${hurried}:${process.env['PATH']}`, PLIMSOLL_STATE: state, ...env },
          timeout: 280_000, // A busy machine takes its time; Jest ends the test after 300 s.
        },
        (error, _stdout, stderr) => {
          const code = error === null ? 0 : Number(error.code);
          resolve({ status: Number.isNaN(code) ? 1 : code, stderr });
        },
      );
    });
  return { state, run };
}

async function registrationToken(): Promise<string> {
  const { body } = await client.send('POST', '/registration-tokens', { name: 'agent', auto_approve: true });
  return (body as { token: string }).token;
}

async function enrolled(): Promise<Agent> {
  const agent = await newAgent();
  const before = await hostIds();
  const { status, stderr } = await agent.run(['enroll', service.url], {
    PLIMSOLL_TOKEN: await registrationToken(),
  });
  expect([status, stderr]).toEqual([0, expect.any(String)]);
  expect((await hostIds()).length).toBe(before.length + 1);
  return agent;
}

interface Host {
  readonly id: string;
  readonly status: string;
  readonly approval_status: string;
  readonly machine_id_conflict_with: string | null;
}

const hosts = async () => (await client.get('/hosts?sort=created_at')).body as Host[];
const hostIds = async () => (await hosts()).map(({ id }) => id);

async function newestHost(): Promise<Host> {
  const newest = (await hosts()).at(-1);
  if (newest === undefined) throw new Error('there is no host');
  return newest;
}

async function matched(hostId: string): Promise<void> {
  await waitFor(`a report of ${hostId} to be matched`, async () => {
    const uploads = (await client.get(`/hosts/${hostId}/uploads`)).body as { state: string }[];
    return uploads[0]?.state === 'matched';
  });
}

describeWhere(isKnownHost ? [] : ['dpkg or rpm'], 'the agent on this machine', () => {
  it('enrols, and its report becomes the packages that dpkg or rpm list', async () => {
    const agent = await enrolled();
    expect(await readFile(path.join(agent.state, 'token'), 'utf8')).toMatch(/^plh_/);
    expect(await agent.run(['run'])).toMatchObject({ status: 0 });
    const host = await newestHost();
    await matched(host.id);
    expect((await newestHost()).status).toBe('active');
    const packages = (await client.get(`/hosts/${host.id}/packages?q=base-files`)).body as {
      version: string;
    }[];
    if (existsSync('/usr/bin/dpkg-query')) {
      const installed = await new Promise<string>((resolve, reject) => {
        execFile('dpkg-query', ['-W', '-f', `\${Version}`, 'base-files'], (error, stdout) =>
          error === null ? resolve(stdout) : reject(error),
        );
      });
      expect(packages.map(({ version }) => version)).toEqual([installed]);
    }
    expect(await agent.run(['run'])).toMatchObject({ status: 0 });
    expect((await client.get(`/hosts/${host.id}/uploads`)).body).toHaveLength(1);
  });

  it('keeps its report while the server is unreachable, and sends it later', async () => {
    const agent = await enrolled();
    const host = await newestHost();
    const [api] = service.processes('api');
    api?.kill('SIGTERM');
    await waitFor('the API to be gone', () => service.processes('api').length === 0);
    expect((await agent.run(['run'])).status).not.toBe(0);
    service.start('api');
    await waitFor(
      'the API to be back',
      async () => (await fetch(`${service.url}/readyz`).catch(() => null))?.status === 200,
    );
    expect(await agent.run(['run'])).toMatchObject({ status: 0 });
    await matched(host.id);
  });

  it('takes a new token with the answer to a report, keeps it for its user alone, and its old one ends', async () => {
    const agent = await enrolled();
    const host = await newestHost();
    const file = path.join(agent.state, 'token');
    const old = (await readFile(file, 'utf8')).trim();
    await database.db.pool.query(
      `UPDATE host_access_tokens SET created_at = created_at - interval '31 days' WHERE host_id = $1`,
      [host.id],
    );
    expect(await agent.run(['run'])).toMatchObject({ status: 0 });
    const replaced = (await readFile(file, 'utf8')).trim();
    expect(replaced).toMatch(/^plh_[\w-]{43}$/);
    expect(replaced).not.toBe(old);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const headers = { authorization: `Bearer ${old}` };
    expect((await fetch(`${service.url}/api/v1/agent/config`, { headers })).status).toBe(401);
    expect(await agent.run(['run'])).toMatchObject({ status: 0 });
    expect((await readFile(file, 'utf8')).trim()).toBe(replaced);
  });

  it('stops with a clear message when its host was deleted', async () => {
    const agent = await enrolled();
    await client.send('DELETE', `/hosts/${(await newestHost()).id}`);
    const { status, stderr } = await agent.run(['run']);
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/enrol/);
  });

  it('is refused with a used or revoked token, and says so', async () => {
    const token = await registrationToken();
    const first = await newAgent();
    expect((await first.run(['enroll', service.url], { PLIMSOLL_TOKEN: token })).status).toBe(0);
    const second = await newAgent();
    const { status, stderr } = await second.run(['enroll', service.url], { PLIMSOLL_TOKEN: token });
    expect(status).not.toBe(0);
    expect(stderr).toMatch(/token/);
    expect(existsSync(path.join(second.state, 'token'))).toBe(false);
  });

  it('creates a second, pending host on a cloned machine, and names the original', async () => {
    await enrolled();
    const [first] = await hosts();
    await enrolled();
    const clone = await newestHost();
    expect(clone.approval_status).toBe('pending');
    expect(clone.machine_id_conflict_with).not.toBeNull();
    expect(clone.machine_id_conflict_with).not.toBe(clone.id);
    expect(first?.id).not.toBe(clone.id);
  });
});
