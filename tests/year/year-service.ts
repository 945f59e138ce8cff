import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres, startRedis } from '@plimsoll/embedded';
import { migrateTestDatabase, startService, type TestQueue, testUrlOf } from '@plimsoll/testing';
import pg from 'pg';
import { startWorldClock, type WorldClock } from './world-clock.ts';

const projectDir = path.resolve(__dirname, '../..');

/** A whole service on servers of its own, all with one clock. */
export interface YearService {
  readonly url: string;
  readonly clock: WorldClock;
  /** Files of the test that every process may read. */
  readonly folder: string;
  /** The superuser's connection. */
  readonly database: pg.Pool;
  /** Lines of logs above the level `warn`, and those of crashes. */
  readonly errors: readonly string[];
  /** How often each message of the level `warn` was logged, by app. */
  readonly warnings: ReadonlyMap<string, number>;
  /** Runs a command of plimsoll on the database. */
  plimsoll(...args: readonly string[]): Promise<{ readonly code: number | null; readonly output: string }>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL, Redis if the machine has it, and all apps at `start`, with the settings of `env`. */
export async function startYearService(
  start: Date,
  env: (folder: string, clock: WorldClock) => Promise<Readonly<Record<string, string>>>,
): Promise<YearService> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-year-'));
  // Root runs PostgreSQL as another user.
  await chmod(folder, 0o755);
  const clock = await startWorldClock(folder, start);
  const { forServers: environment, forNode } = clock;
  const dataDir = path.join(folder, 'data');
  const ignored = { onLog: () => undefined };
  const postgres = await startPostgres({ dataDir, environment, settings: volatile, ...ignored });
  const redis = await startRedis({
    dataDir,
    environment,
    searchPath: process.env['PATH'] ?? '',
    ...ignored,
  });
  const queue: TestQueue = redis === null ? { kind: 'postgres' } : { kind: 'redis', url: redis.url };
  await migrateTestDatabase(postgres.url, projectDir);
  const log = createLogReader();
  const service = await startService({
    projectDir,
    databaseUrl: postgres.url,
    queue,
    onLine: log.read,
    env: { ...forNode, TZ: 'Europe/Berlin', ...(await env(folder, clock)) },
  });
  const database = new pg.Pool({ connectionString: postgres.url, max: 2 });
  return {
    url: service.url,
    clock,
    folder,
    database,
    errors: log.errors,
    warnings: log.warnings,
    plimsoll: (...args) =>
      runPlimsoll(args, { ...forNode, PLIMSOLL_DATABASE_URL: testUrlOf(postgres.url, 'cli') }),
    async stop() {
      await database.end();
      await service.stop();
      await redis?.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true });
      if (!postgres.home.startsWith(folder)) await rm(postgres.home, { recursive: true, force: true });
    },
  };
}

/** Nothing outlives the test. */
const volatile = { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' };

const warnLevel = 'warn';
const calmLevels = ['trace', 'debug', 'info', warnLevel];

function createLogReader() {
  const errors: string[] = [];
  const warnings = new Map<string, number>();
  const read = (line: string): void => {
    if (!line.startsWith('{')) {
      errors.push(line);
      return;
    }
    const { level, app, msg } = JSON.parse(line) as Record<'level' | 'app' | 'msg', string>; // Of our logger.
    if (!calmLevels.includes(level)) errors.push(line);
    if (level === warnLevel) warnings.set(`${app}: ${msg}`, (warnings.get(`${app}: ${msg}`) ?? 0) + 1);
  };
  return { errors, warnings, read };
}

async function runPlimsoll(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<{ code: number | null; output: string }> {
  const cli = path.join(projectDir, 'apps/cli/bin/plimsoll.mjs');
  const child = spawn(process.execPath, [cli, ...args], {
    env: { PATH: process.env['PATH'], PLIMSOLL_CONFIG: '', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, output };
}
