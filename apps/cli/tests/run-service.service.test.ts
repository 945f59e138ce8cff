import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import {
  chmod,
  link,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@plimsoll/embedded';
import { createKeyFiles } from '@plimsoll/secrets';
import { circumstance, describeWhere, folderPerFile, waitFor } from '@plimsoll/testing';
import { nodeWarning } from '../src/service/node-warning.ts';
import {
  buildService,
  eventually,
  processesOf,
  type ServiceProcess,
  startService,
} from './service-process.ts';

const dataDir = folderPerFile();
let port = 0;
const services: ServiceProcess[] = [];

beforeAll(async () => {
  await buildService();
  port = await findFreePort();
});

afterEach(async () => {
  for (const service of services.splice(0)) {
    service.child.kill('SIGTERM');
    await service.ended();
  }
  await eventually(async () => (await processesOf(dataDir)).length === 0);
});

function start(api = 'fixture-api', settings: Record<string, string> = {}): ServiceProcess {
  const service = startService(dataDir, port, api, settings);
  services.push(service);
  return service;
}

interface Seen {
  readonly pid: number;
  readonly settings: Readonly<Record<string, string>>;
}

async function apiEnvironment(): Promise<Seen> {
  return (await (await fetch(`http://127.0.0.1:${port}/environment`)).json()) as Seen; // sent by fixture-api
}

async function logText(name: string): Promise<string> {
  return readFile(path.join(dataDir, 'logs', `${name}.log`), 'utf8');
}

const isRoot = process.getuid?.() === 0;
/** Whether users without an account can reach the fixtures and Node here: a checkout may be below a closed home. */
const canDropRoot =
  isRoot && canRead(61_183, [process.execPath, path.resolve(__dirname, '../testdata/fixture-worker.mjs')]);

function canRead(uid: number, files: readonly string[]): boolean {
  return spawnSync('cat', ['--', ...files], { uid, gid: uid, stdio: 'ignore' }).status === 0;
}

it('prints what the user needs and nothing else', async () => {
  const service = start();
  await service.ready();
  expect(service.output().split('\n')).toEqual([
    `Plimsoll is ready: http://127.0.0.1:${port}`,
    '  Setup is waiting for the first user: open it in a browser, or see README.md',
    '  Advisory feeds are fetched once the first host has reported: which ones depends on its distribution',
    `  Data: ${dataDir}`,
    expect.stringMatching(
      /^ {2}Database: PostgreSQL 18\.\d+(, installed on this machine| packaged with Plimsoll; its libraries get no security updates\. Install PostgreSQL 18 from your distribution and it is used instead)$/,
    ),
    expect.stringMatching(
      /^ {2}Queue: (a Redis of its own|in the database, because there is no redis-server or valkey-server \(6\.2 or newer\) on the PATH\..*)$/,
    ),
    `  Logs: ${path.join(dataDir, 'logs')}`,
    ...(nodeWarning(process.versions.node, new Date()) === null
      ? []
      : [expect.stringMatching(/^ {2}Warning: Node\.js \S+ gets no security updates/)]),
    ...(isRoot && !canDropRoot
      ? [
          expect.stringMatching(
            /^ {2}Warning: every app runs as root, because another user cannot use \S+; start as /,
          ),
        ]
      : []),
    '  Stop: Ctrl-C',
    '',
  ]);
});

it('gives the API its secret, the same at every start, and gives it to no other app', async () => {
  await start().ready();
  const { settings } = await apiEnvironment();
  const secret = settings['PLIMSOLL_API_JWT_SECRET_KEY'] ?? '';
  expect(secret).toHaveLength(64);
  expect(await readFile(path.join(dataDir, 'secrets', 'api.jwt_secret_key'), 'utf8')).toBe(secret);
  expect((await stat(path.join(dataDir, 'secrets', 'api.jwt_secret_key'))).mode & 0o077).toBe(0);
  await eventually(async () => (await logText('worker')).includes('PLIMSOLL_DATABASE_URL'));
  expect(await logText('worker')).not.toContain('JWT');
});

describeWhere(
  canDropRoot ? [] : [circumstance('root and a checkout that other users reach')],
  'started by root',
  () => {
    it("gives each app its own user, who can read that app's key file and nothing of other apps", async () => {
      await start().ready();
      const api = (await apiEnvironment()).pid;
      const worker = (await processesOf(dataDir)).find((pid) =>
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('fixture-worker'),
      );
      const [apiUser, workerUser] = [api, worker].map((pid) => statSync(`/proc/${pid}`).uid);
      expect(new Set([0, apiUser, workerUser]).size).toBe(3);
      const { uid: owner, mode } = statSync(path.join(dataDir, 'downloads'));
      expect([owner, mode & 0o777]).toEqual([workerUser, 0o700]);
      const secrets = path.join(dataDir, 'secrets');
      const rights = (uid = 0) => ({
        keys: canRead(uid, [path.join(secrets, 'ssh.sealing_keys')]),
        tokens: canRead(uid, [path.join(secrets, 'api.jwt_secret_key')]),
        announcedDatabase: canRead(uid, [path.join(dataDir, 'database.url')]),
        environmentOfApi: canRead(uid, [`/proc/${api}/environ`]),
      });
      const none = { keys: false, tokens: false, announcedDatabase: false };
      expect(rights(workerUser)).toEqual({ ...none, keys: true, environmentOfApi: false });
      expect(rights(apiUser)).toEqual({ ...none, environmentOfApi: true });
    });

    it('gives Redis its own user, and each app a user of Redis (skipped without one on the PATH)', async () => {
      await start().ready();
      const pidFile = path.join(dataDir, 'redis', 'redis.pid');
      const redisPid = await readFile(pidFile, 'utf8').catch(() => null);
      if (redisPid === null) return;
      const { pid, settings } = await apiEnvironment();
      const [redisUser, apiUser] = [Number(redisPid), pid].map((each) => statSync(`/proc/${each}`).uid);
      expect(new Set([0, redisUser, apiUser]).size).toBe(3);
      expect(new URL(settings['PLIMSOLL_REDIS_URL'] ?? '').username).toBe('plimsoll-api');
      expect(await logText('worker')).not.toContain('PLIMSOLL_REDIS_URL');
      const redisFiles = ['admin.url', 'redis.conf'].map((name) => path.join(dataDir, 'redis', name));
      expect(redisFiles.map((file) => canRead(apiUser ?? 0, [file]))).toEqual([false, false]);
      expect(redisFiles.map((file) => canRead(redisUser ?? 0, [file]))).toEqual([false, true]);
    });

    it('starts if root may not become another user, and reports that apps stay root', async () => {
      await start().ready();
      const database = await readFile(path.join(dataDir, 'database.url'), 'utf8');
      const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-service-'));
      const bound = ['setpriv', '--bounding-set=-chown,-setuid,-setgid', '--inh-caps=-all'];
      const settings = { PLIMSOLL_DATABASE_URL: database };
      const service = startService(folder, await findFreePort(), 'fixture-api', settings, bound);
      services.unshift(service);
      await service.ready();
      expect(service.output()).toMatch(
        /Warning: api runs as root, because processes cannot take another user here/,
      );
      expect(service.output()).toMatch(
        /Warning: worker runs as root, because \S+ssh\.sealing_keys cannot be opened/,
      );
      // Without one on the PATH no queue could run as root.
      const hasRedis = (await readdir(folder)).includes('redis');
      expect(service.output().includes('Warning: Redis runs as root, because processes cannot take')).toBe(
        hasRedis,
      );
      service.child.kill('SIGTERM');
      await service.ended();
      await rm(folder, { recursive: true });
    });

    it('gives an app the same user at every start, and what root wrote into its folder', async () => {
      const userOfApi = async () => statSync(`/proc/${(await apiEnvironment()).pid}`).uid;
      await start().ready();
      const before = await userOfApi();
      services[0]?.child.kill('SIGTERM');
      await services[0]?.ended();
      const downloads = path.join(dataDir, 'downloads');
      await mkdir(path.join(downloads, 'folder'), { mode: 0o700 });
      await writeFile(path.join(downloads, 'folder', 'file'), '', { mode: 0o600 });
      await symlink(path.join(dataDir, 'secrets', 'api.jwt_secret_key'), path.join(downloads, 'link'));
      await link(path.join(dataDir, 'secrets', 'api.jwt_secret_key'), path.join(downloads, 'second-name'));
      // As an app may that wants to stay root.
      await chmod(downloads, 0);
      await start().ready();
      expect(await userOfApi()).toBe(before);
      const ownerOf = (name: string) => statSync(path.join(downloads, name)).uid;
      expect(ownerOf('folder/file')).toBe(ownerOf('.'));
      expect(statSync(downloads).mode & 0o777).toBe(0o700);
      expect([ownerOf('link'), ownerOf('second-name')]).toEqual([0, 0]);
    });
  },
);

it('makes the sealing keys, the same at every start, and prints where they are', async () => {
  await start().ready();
  const { settings } = await apiEnvironment();
  const keysFile = path.join(dataDir, 'secrets', 'ssh.sealing_keys');
  const publicKeyFile = path.join(dataDir, 'secrets', 'ssh.sealing_public_key');
  expect(settings['PLIMSOLL_SSH_SEALING_KEYS_FILE']).toBe(keysFile);
  expect(settings['PLIMSOLL_SSH_SEALING_PUBLIC_KEY_FILE']).toBe(publicKeyFile);
  const { keyId } = await createKeyFiles({ keysFile, publicKeyFile });
  expect(services[0]?.output()).not.toContain(keyId);
  expect((await stat(keysFile)).mode & 0o037).toBe(0);

  services[0]?.child.kill('SIGTERM');
  await services[0]?.ended();
  const before = await readFile(keysFile);
  await start().ready();
  expect(await readFile(keysFile)).toEqual(before);
  const [, secret = ''] = /^x25519-private (\S+)$/m.exec(before.toString()) ?? [];
  const logs = await Promise.all(['api', 'worker', 'plimsoll'].map(logText));
  expect(logs.filter((text) => text.includes(secret))).toEqual([]);
});

it('does not start with keys that do not match', async () => {
  const folder = path.join(dataDir, 'apart');
  const settings = {
    PLIMSOLL_SSH_SEALING_KEYS_FILE: path.join(folder, 'keys'),
    PLIMSOLL_SSH_SEALING_PUBLIC_KEY_FILE: path.join(folder, 'public'),
  };
  await createKeyFiles({ keysFile: path.join(folder, 'other'), publicKeyFile: path.join(folder, 'public') });
  const service = start('fixture-api', settings);
  expect(await service.ended()).toBe(1);
  expect(service.output()).toContain(`${folder}/keys does not exist`);
  expect(service.output().split('\n')).toHaveLength(2);
});

/** How often the worker has started, by its log. */
async function workerStarts(): Promise<number> {
  return (await logText('worker')).split('started ').length - 1;
}

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  'lets apps finish on %s, stops everything and exits with 0',
  async (signal) => {
    const startsBefore = await workerStarts();
    const service = start();
    await service.ready();
    // The service is ready when the API answers; a worker may still be starting.
    await waitFor('the worker', async () => (await workerStarts()) > startsBefore);
    const said = service.output();
    service.child.kill(signal);
    expect(await service.ended()).toBe(0);
    expect(service.output()).toBe(said);
    expect(await logText('worker')).toMatch(/finished work in hand\n$/);
    expect(await processesOf(dataDir)).toEqual([]);
  },
);

it('stops cleanly when it is interrupted during its start', async () => {
  const fresh = path.join(dataDir, 'fresh');
  const service = startService(fresh, port, 'fixture-api');
  services.push(service);
  await eventually(() => existsSync(path.join(fresh, 'postgres')));
  service.child.kill('SIGINT');
  expect(await service.ended()).toBe(0);
  expect(service.output()).toBe('');
  expect(await processesOf(dataDir)).toEqual([]);
});

it('refuses a second start on the same data folder and names process and URL', async () => {
  const first = start();
  await first.ready();
  const second = start();
  expect(await second.ended()).toBe(1);
  expect(second.output()).toBe(
    `Plimsoll is already running on ${dataDir}: process ${first.child.pid}, http://127.0.0.1:${port}.\n`,
  );
});

it('names the port that is taken, the process that has it and the setting to change', async () => {
  const name = readFileSync('/proc/self/comm', 'utf8').trim();
  const other = createServer().listen(port, '127.0.0.1');
  const service = start();
  expect(await service.ended()).toBe(1);
  other.close();
  expect(service.output()).toBe(
    `Port ${port} of 127.0.0.1 is taken by process ${process.pid} (${name}). Choose another with api.port (PLIMSOLL_API_PORT, PORT).\n`,
  );
});

it('leaves no process behind when it is killed, and starts again on the same data', async () => {
  const killed = start();
  await killed.ready();
  killed.child.kill('SIGKILL');
  await killed.ended();
  await eventually(async () => (await processesOf(dataDir)).length === 0);
  await start().ready();
});

it('ends what a killed service left running, and nothing that only has the same process id', async () => {
  const killed = start();
  await killed.ready();
  const { pid } = await apiEnvironment();
  await eventually(() => existsSync(path.join(dataDir, 'processes', 'api')));
  process.kill(pid, 'SIGSTOP'); // it does not notice the end of its supervisor
  killed.child.kill('SIGKILL');
  await killed.ended();
  await writeFile(path.join(dataDir, 'processes', 'other'), `${process.pid} another start`);
  const next = start();
  await next.ready();
  expect(next.output()).toContain(`api (process ${pid})`);
  expect(next.output()).not.toContain('other (');
  expect(existsSync(`/proc/${pid}`)).toBe(false);
});

it('restarts an app that ended by itself', async () => {
  await start().ready();
  const before = await apiEnvironment();
  await fetch(`http://127.0.0.1:${port}/end`);
  await eventually(() =>
    apiEnvironment().then(
      ({ pid }) => pid !== before.pid,
      () => false,
    ),
  );
  expect(await logText('plimsoll')).toContain('"app":"api","how":"exit code 3","failures":1');
});

it('gives up when the API cannot start, and prints the end of its log', async () => {
  const service = start('fixture-failing');
  expect(await service.ended()).toBe(1);
  expect(service.output()).toContain('The api ended three times in a row');
  expect(service.output()).toContain('the cause is told here');
  expect(await processesOf(dataDir)).toEqual([]);
});

it('ends when its private database ends and cannot be started again', async () => {
  const service = start();
  await service.ready();
  const cluster = path.join(dataDir, 'postgres', 'cluster');
  const pid = Number((await readFile(path.join(cluster, 'postmaster.pid'), 'utf8')).split('\n')[0]);
  await rename(path.join(cluster, 'PG_VERSION'), path.join(dataDir, 'PG_VERSION'));
  await writeFile(path.join(cluster, 'PG_VERSION'), '17\n');
  process.kill(pid, 'SIGKILL');
  expect(await service.ended()).toBe(1);
  await rename(path.join(dataDir, 'PG_VERSION'), path.join(cluster, 'PG_VERSION'));
  expect(service.output()).toContain('PostgreSQL ended with signal SIGKILL');
});

it('refuses queue.backend redis without a Redis', async () => {
  const service = start('fixture-api', { PLIMSOLL_QUEUE_BACKEND: 'redis', PATH: '/nowhere' });
  expect(await service.ended()).toBe(1);
  expect(service.output()).toContain('queue.backend is redis, but redis.url is not set');
});

it('says that the given Redis is away, and starts all the same', async () => {
  const url = `redis://127.0.0.1:${await findFreePort()}`;
  const service = start('fixture-api', { PLIMSOLL_REDIS_URL: url });
  await service.ready();
  const words = `Redis at ${new URL(url).host} (redis.url)`;
  expect(service.output()).toContain(
    `The queue is away: ${words}: connect ECONNREFUSED ${new URL(url).host}. Reports are accepted and wait until it is back.\n`,
  );
  expect(service.output()).toContain(`  Queue: ${words}\n`);
});

it('refuses a wrong password of Redis in a sentence (skipped without one on the PATH)', async () => {
  await start().ready();
  const admin = await readFile(path.join(dataDir, 'redis', 'admin.url'), 'utf8').catch(() => null);
  if (admin === null) return;
  const url = new URL(admin.trim());
  url.password = 'guess';
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-service-'));
  const service = startService(folder, await findFreePort(), 'fixture-api', { PLIMSOLL_REDIS_URL: url.href });
  expect(await service.ended()).toBe(1);
  await rm(folder, { recursive: true });
  expect(service.output()).toBe(
    `Redis at ${url.host} (redis.url) refuses the connection: WRONGPASS invalid username-password pair or user is disabled. Correct its user and password in redis.url (PLIMSOLL_REDIS_URL).\n`,
  );
});

it('says where the stack of an error is that it does not know', async () => {
  const service = start('fixture-api', { FIXTURE_FAILS: '' });
  expect(await service.ended()).toBe(1);
  expect(service.output()).toBe(
    `Plimsoll ended because of an unexpected error: not foreseen. Its stack is in ${dataDir}/logs/plimsoll.log.\n`,
  );
  expect(await logText('plimsoll')).toMatch(/"event":"failed","stack":"TypeError: not foreseen\\n {4}at /);
});

it('shows the https address of its certificate, and requests the API over TLS', async () => {
  const certFile = path.join(dataDir, 'cert.pem');
  const keyFile = path.join(dataDir, 'key.pem');
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-keyout', keyFile];
  const names = ['-subj', '/CN=x', '-addext', 'subjectAltName=IP:127.0.0.1,DNS:plimsoll.example'];
  execFileSync('openssl', ['req', '-x509', ...key, '-out', certFile, ...names], { stdio: 'ignore' });
  const service = start('fixture-api', {
    PLIMSOLL_API_TLS_CERT_FILE: certFile,
    PLIMSOLL_API_TLS_KEY_FILE: keyFile,
  });
  await service.ready();
  expect(service.output()).toContain(
    `Plimsoll is ready: https://plimsoll.example:${port}\n  Setup is waiting`,
  );
});

it('does not start with an unusable certificate, and says why', async () => {
  const settings = { PLIMSOLL_API_TLS_CERT_FILE: '/nowhere/cert', PLIMSOLL_API_TLS_KEY_FILE: '/nowhere/key' };
  const service = start('fixture-api', settings);
  expect(await service.ended()).toBe(1);
  expect(service.output()).toBe('/nowhere/cert cannot be read: ENOENT.\n');
});

it('reports every error of the configuration', async () => {
  const service = start('fixture-api', { PLIMSOLL_LOG_LEVEL: 'loud', PLIMSOLL_API_PROT: '1' });
  expect(await service.ended()).toBe(1);
  expect(service.output()).toContain('log.level');
  expect(service.output()).toContain('did you mean PLIMSOLL_API_PORT?');
});
