import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort, startPostgres } from '@plimsoll/embedded';
import { runCommand, type ScriptResult, waitFor } from '@plimsoll/testing';
import { Redis } from 'ioredis';
import pg from 'pg';
import { canMount, processesOf } from '../../apps/cli/tests/service-process.ts';
import { startWorldClock, type WorldClock } from '../year/world-clock.ts';

const projectDir = path.resolve(__dirname, '../..');
const plimsoll = path.join(projectDir, 'apps/cli/bin/plimsoll.mjs');

/** The whole service as `npm start` runs it, with its supervisor, PostgreSQL and Redis. */
export interface FaultyService {
  readonly url: string;
  /** The folder with all its data: a small file system of its own if root may mount one. */
  readonly disk: string;
  /** The clock of its database and apps; null: the machine's. */
  readonly clock: WorldClock | null;
  /** Starts it unless it runs; resolves when the supervisor has been started. */
  start(): void;
  isRunning(): boolean;
  /** What it has printed. */
  output(): string;
  /** Kills the supervisor. */
  kill(): Promise<void>;
  /** The ids of its processes whose command line matches. */
  pids(pattern: RegExp): Promise<readonly number[]>;
  /** Runs statements as the superuser, each on its own; again for `patienceMs` if the server is away. The rows of the last. */
  sql(statements: readonly string[], patienceMs?: number): Promise<readonly Record<string, unknown>[]>;
  /** Runs a command as the administrator of Redis; again for `patienceMs` if it is away. */
  redis(command: readonly [string, ...string[]], patienceMs?: number): Promise<unknown>;
  /** Runs a command of plimsoll on it. */
  plimsoll(...args: readonly string[]): Promise<ScriptResult>;
  stop(): Promise<void>;
}

/** Starts the service and waits until it is ready. `ownClock`: with a clock of its own, by libfaketime. */
export async function startFaultyService({ ownClock = false } = {}): Promise<FaultyService> {
  const disk = await mkdtemp(path.join(tmpdir(), 'plimsoll-faults-'));
  if (canMount) spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=800m', 'tmpfs', disk]);
  await chmod(disk, 0o755); // root runs every process as another user
  const dataDir = path.join(disk, 'data');
  const clock = ownClock ? await startWorldClock(disk, new Date()) : null;
  // The supervisor's own PostgreSQL takes no environment.
  const database =
    clock && (await startPostgres({ dataDir: disk, environment: clock.forServers, onLog: () => undefined }));
  const port = await findFreePort();
  const env = {
    PLIMSOLL_CONFIG: '',
    PLIMSOLL_DATA_DIR: dataDir,
    PLIMSOLL_API_HOST: '127.0.0.1',
    PLIMSOLL_API_PORT: String(port),
    PLIMSOLL_FEEDS_SYNC_ENABLED: 'false',
    PLIMSOLL_UPLOADS_BURST: '10000',
    PLIMSOLL_UPLOADS_NEW_PACKAGES_PER_DAY: '10000000',
    PLIMSOLL_UPLOADS_TOKEN_NEW_PACKAGES_PER_DAY: '10000000',
    ...(database === null ? {} : { PLIMSOLL_DATABASE_URL: database.url }),
    // A clock that is set calls no timer.
    ...(clock === null ? {} : { ...clock.forNode, NODE_OPTIONS: '' }),
  };
  let supervisor: ChildProcess | null = null;
  let printed = '';
  const isRunning = () =>
    supervisor !== null && supervisor.exitCode === null && supervisor.signalCode === null;
  const start = (): void => {
    if (isRunning()) return;
    supervisor = spawn(process.execPath, [plimsoll, 'start'], {
      env: { PATH: process.env['PATH'], HOME: process.env['HOME'], ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [supervisor.stdout, supervisor.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        printed += text;
      });
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (supervisor === null || !isRunning()) return;
    const ended = once(supervisor, 'exit');
    supervisor.kill(signal);
    await ended;
  };
  const textOf = async (file: string) => (await readFile(path.join(dataDir, file), 'utf8')).trim();
  const databaseUrl = async (): Promise<string> => {
    if (database !== null) return database.url;
    const [, , , at] = (await textOf('postgres/cluster/postmaster.pid')).split('\n');
    return `postgresql://plimsoll:${await textOf('postgres/password')}@127.0.0.1:${at}/plimsoll`;
  };
  const service: FaultyService = {
    url: `http://127.0.0.1:${port}`,
    disk,
    clock,
    start,
    isRunning,
    output: () => printed,
    kill: () => end('SIGKILL'),
    async pids(pattern) {
      const lines = (await processesOf(disk)).map(async (pid) => {
        const line = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
        return pattern.test(line) ? [pid] : [];
      });
      return (await Promise.all(lines)).flat();
    },
    sql: (statements, patienceMs = 60_000) =>
      persist(patienceMs, async () => {
        const connectionString = await databaseUrl();
        const limits = { connectionTimeoutMillis: 3_000, query_timeout: 10_000 };
        const client = new pg.Client({ connectionString, ...limits });
        client.on('error', () => undefined); // the next statement says so
        try {
          await client.connect();
          let rows: Record<string, unknown>[] = [];
          for (const statement of statements) ({ rows } = await client.query(statement));
          return rows;
        } finally {
          void client.end().catch(() => undefined);
        }
      }),
    redis: ([name, ...args], patienceMs = 60_000) =>
      persist(patienceMs, async () => {
        const client = new Redis(await textOf('redis/admin.url'), {
          ...{ lazyConnect: true, retryStrategy: () => null, commandTimeout: 5_000 },
        });
        client.on('error', () => undefined); // the command rejects
        try {
          return await client.call(name, ...args);
        } finally {
          client.disconnect();
        }
      }),
    plimsoll: (...args) => runCommand([process.execPath, plimsoll, ...args], { env }),
    async stop() {
      await end('SIGTERM');
      await database?.stop();
      await waitFor('the end of all processes', async () => (await processesOf(disk)).length === 0);
      if (canMount) spawnSync('umount', [disk]);
      await rm(disk, { recursive: true, force: true });
    },
  };
  start();
  await waitFor('the service', () => printed.includes('Ctrl-C') || !isRunning());
  return service;
}

/** The result of the first try that succeeds; rejects as the first one that fails after `patienceMs`. */
async function persist<T>(patienceMs: number, work: () => Promise<T>): Promise<T> {
  for (const deadline = performance.now() + patienceMs; performance.now() < deadline; await delay(200)) {
    const result = await work().then(
      (value) => ({ value }),
      () => null,
    );
    if (result !== null) return result.value;
  }
  return work();
}
