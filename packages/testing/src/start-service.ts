import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { findFreePort } from '@plimsoll/embedded';
import { mallocSettings, type ServiceApp, serviceApps } from '@plimsoll/model';
import { createKeyFiles } from '@plimsoll/secrets';
import { makeTestRedisUsers } from './test-redis-users.ts';
import { testUrlOf } from './test-roles.ts';
import { waitFor } from './wait-for.ts';

/** The queue of a service. The URL is an administrator's, who creates a user for each app. */
export type TestQueue = { readonly kind: 'redis'; readonly url: string } | { readonly kind: 'postgres' };

/** A running service of real processes. */
export interface TestService {
  /** `http://127.0.0.1:PORT`, without a slash at the end; `https:` if `env` has a certificate. */
  readonly url: string;
  /** The files of the sealing keys. */
  readonly sealingKeys: { readonly keysFile: string; readonly publicKeyFile: string };
  /** Starts another process of an app, with more environment if given. */
  start(app: ServiceApp, more?: Readonly<Record<string, string>>): ChildProcess;
  /** The running processes of an app. */
  processes(app: ServiceApp): readonly ChildProcess[];
  /** The processes' output, newest last. */
  log(): string;
  /** The requests that Redis refused to the apps' users; empty on PostgreSQL. */
  queueRefusals(): Promise<readonly string[]>;
  /** Stops every process and waits for its end. */
  stop(): Promise<void>;
}

/** The parameters of a service. */
export interface ServiceOptions {
  /** Root of the checkout; its apps must be built. */
  readonly projectDir: string;
  /** The superuser's URL of a database with roles for the apps; each process gets the URL of its own role. */
  readonly databaseUrl: string;
  readonly queue: TestQueue;
  readonly apps?: readonly ServiceApp[];
  /** Environment on top, PLIMSOLL_… */
  readonly env?: Readonly<Record<string, string>>;
  /** Gets each line of the processes' output. */
  readonly onLine?: (line: string) => void;
}

/** The number of log lines kept. */
const keptLines = 2_000;

/** Starts the built apps as separate processes, as in production, and waits until the API accepts requests. */
export async function startService(options: ServiceOptions): Promise<TestService> {
  const port = await findFreePort();
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-service-'));
  const sealingKeys = {
    keysFile: path.join(folder, 'ssh-sealing-keys'),
    publicKeyFile: path.join(folder, 'ssh-sealing-key.pub'),
  };
  await createKeyFiles(sealingKeys);
  const running = new Map<ServiceApp, Set<ChildProcess>>();
  const lines: string[] = [];
  // A separate prefix, so that services on one Redis do not share keys.
  const prefix = `{test-${randomBytes(6).toString('hex')}}`;
  const { queue } = options;
  const redisUsers = queue.kind === 'redis' ? await makeTestRedisUsers(queue.url, prefix) : null;
  const env = serviceEnvironment(options, port, prefix);
  const scheme = env['PLIMSOLL_API_TLS_CERT_FILE'] === undefined ? 'http' : 'https';
  env['PLIMSOLL_SSH_SEALING_PUBLIC_KEY_FILE'] = sealingKeys.publicKeyFile;
  env['PLIMSOLL_NOTIFICATIONS_KEYS_DIR'] ??= path.join(folder, 'notification-keys');
  env['PLIMSOLL_FEEDS_DOWNLOAD_DIR'] ??= path.join(folder, 'downloads');
  const start = (app: ServiceApp, more: Readonly<Record<string, string>> = {}): ChildProcess => {
    const main = path.join(options.projectDir, 'apps', app, 'dist', 'main.js');
    if (!existsSync(main)) throw new Error(`${app} is not built: run npm test, or turbo run build`);
    const child = spawn(process.execPath, ['--enable-source-maps', main], {
      cwd: options.projectDir,
      env: {
        PLIMSOLL_DATABASE_URL: testUrlOf(options.databaseUrl, app),
        ...(redisUsers === null ? {} : { PLIMSOLL_REDIS_URL: redisUsers.urlOf(app) }),
        ...(app === 'ssh-worker' ? { PLIMSOLL_SSH_SEALING_KEYS_FILE: sealingKeys.keysFile } : {}),
        ...env,
        ...more,
      },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface({ input: stream }).on('line', (line) => {
        lines.push(line);
        lines.splice(0, lines.length - keptLines);
        options.onLine?.(line);
      });
    }
    const processes = running.get(app) ?? new Set();
    running.set(app, processes.add(child));
    child.once('exit', () => processes.delete(child));
    return child;
  };
  const service: TestService = {
    url: `${scheme}://127.0.0.1:${port}`,
    sealingKeys,
    start,
    processes: (app) => [...(running.get(app) ?? [])],
    log: () => lines.join('\n'),
    queueRefusals: async () => (await redisUsers?.refusals()) ?? [],
    async stop() {
      const children = [...running.values()].flatMap((processes) => [...processes]);
      await Promise.all(children.map(stopProcess));
      await redisUsers?.drop();
      await rm(folder, { recursive: true, force: true });
    },
  };
  for (const app of options.apps ?? serviceApps) start(app);
  try {
    await waitFor(
      `the API of ${service.url} to be ready`,
      async () => (await fetchStatus(`${service.url}/readyz`)) === 200,
    );
  } catch (error) {
    await service.stop();
    throw new Error(`the service did not start:\n${service.log()}`, { cause: error });
  }
  return service;
}

function serviceEnvironment({ queue, env }: ServiceOptions, port: number, prefix: string): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    ...mallocSettings,
    PLIMSOLL_CONFIG: '',
    PLIMSOLL_API_HOST: '127.0.0.1',
    PLIMSOLL_API_PORT: String(port),
    PLIMSOLL_API_JWT_SECRET_KEY: randomBytes(32).toString('hex'),
    PLIMSOLL_QUEUE_BACKEND: queue.kind,
    PLIMSOLL_QUEUE_PREFIX: prefix,
    PLIMSOLL_FEEDS_SYNC_ENABLED: 'false',
    ...env,
  };
}

/** The status of the answer; 0 without one. The certificate is not checked. */
function fetchStatus(url: string): Promise<number> {
  return new Promise((resolve) => {
    const send = url.startsWith('https:') ? https.get : http.get;
    const sent = send(url, { agent: false, rejectUnauthorized: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    sent.on('error', () => resolve(0));
  });
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  const deadline = setTimeout(() => child.kill('SIGKILL'), 20_000);
  await exited;
  clearTimeout(deadline);
}
