import { randomBytes } from 'node:crypto';
import { mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedError } from '../embedded-error.ts';
import { findFreePort } from '../find-free-port.ts';
import { lockDataDir } from '../lock-data-dir.ts';
import { type ServerProcess, type StopStage, startServerProcess } from '../start-server-process.ts';
import { stopOrphan } from '../stop-orphan.ts';
import { until } from '../until.ts';
import { findRedisProgram } from './find-redis-program.ts';
import { pingRedis } from './ping-redis.ts';

/** Long, because Redis reads its whole append-only file first. */
const readyTimeoutMs = 300_000;

const stopStages: readonly [StopStage, ...StopStage[]] = [
  { signal: 'SIGTERM', waitMs: 30_000 },
  { signal: 'SIGKILL', waitMs: 10_000 },
];

/** What to serve and where to look for a server. */
export interface RedisOptions {
  /** Plimsoll's data folder; made if missing. Redis works in `redis` below it. */
  readonly dataDir: string;
  /** The PATH on which redis-server and valkey-server are looked for. */
  readonly searchPath: string;
  /** Gets what the server logs, as it comes. */
  readonly onLog: (text: string) => void;
  /** Ends the waiting for a server that is not ready yet, with the error `aborted`. */
  readonly signal?: AbortSignal;
}

/** A running private Redis. */
export interface EmbeddedRedis {
  /** Connection URL with the password of this run. */
  readonly url: string;
  readonly port: number;
  /** Resolves when the server has ended, wanted or not, with a phrase like `exit code 1`. */
  readonly ended: Promise<string>;
  /** Writes everything down; resolves when the server is gone. */
  stop(): Promise<void>;
}

/**
 * Starts a private Redis or Valkey on a free port of 127.0.0.1, durable (append-only file) and refusing to evict, and
 * waits until it takes commands. Answers `null` where there is none on the search path that is at least version 6.2.
 * It ends with this process at the latest, also when that is killed. Throws EmbeddedError.
 */
export async function startRedis(options: RedisOptions): Promise<EmbeddedRedis | null> {
  const { dataDir, searchPath } = options;
  const program = await findRedisProgram(searchPath);
  if (program === null) return null;

  const wanted = path.join(dataDir, 'redis');
  await mkdir(wanted, { recursive: true, mode: 0o700 });
  const folder = await realpath(wanted);
  const locking = await lockDataDir(folder);
  if (locking.kind === 'held') {
    throw new EmbeddedError(
      'data_in_use',
      `the queue in ${folder} is already served by process ${locking.pid}`,
    );
  }
  try {
    const pidFile = path.join(folder, 'redis.pid');
    await stopOrphan(pidFile, folder, stopStages);
    await rm(pidFile, { force: true });
    const first = await serve(program, folder, options, null);
    const kept = keepServing(first, (place) => serve(program, folder, options, place));
    let stopping: Promise<void> | null = null;
    return {
      url: `redis://:${first.password}@127.0.0.1:${first.port}`,
      port: first.port,
      ended: kept.ended,
      stop() {
        stopping ??= kept.stop().then(() => locking.lock.release());
        return stopping;
      },
    };
  } catch (error) {
    await locking.lock.release();
    throw error;
  }
}

/** Where clients have been told to look. */
interface RedisPlace {
  readonly port: number;
  readonly password: string;
}

interface ServedRedis extends RedisPlace {
  readonly server: ServerProcess;
}

/** How often a server that ends by itself is started again in a row before it is given up. */
const maxRestarts = 5;
/** It has come back for good when it lives so long, milliseconds. */
const steadyMs = 60_000;
const restartPauseMs = 500;

/** Starts a server again, at the same place, whenever it ends without having been asked to. */
function keepServing(
  first: ServedRedis,
  serveAgain: (place: RedisPlace) => Promise<ServedRedis>,
): { readonly ended: Promise<string>; stop(): Promise<void> } {
  let current = first;
  let stopping = false;
  const keep = async (): Promise<string> => {
    for (let restarts = 0; ; restarts += 1) {
      const startedAt = performance.now();
      const how = await current.server.ended;
      if (performance.now() - startedAt > steadyMs) restarts = 0;
      if (stopping || restarts === maxRestarts) return how;
      await pause(restartPauseMs * restarts);
      if (stopping) return how;
      try {
        current = await serveAgain(first);
        // It was asked to stop while it was on its way back.
        if (stopping) await current.server.stop();
      } catch {
        // The server's log says why; `how` says how it came to that.
        return how;
      }
    }
  };
  const ended = keep();
  return {
    ended,
    async stop() {
      stopping = true;
      await current.server.stop();
      await ended;
    },
  };
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

/** Serves at `place`, or at a free one of its own choice. */
async function serve(
  program: string,
  folder: string,
  { onLog, signal }: RedisOptions,
  place: RedisPlace | null,
): Promise<ServedRedis> {
  for (let attempt = 1; ; attempt += 1) {
    const port = place?.port ?? (await findFreePort());
    const password = place?.password ?? randomBytes(32).toString('base64url');
    // A file, because arguments can be read by every user of the machine.
    await writeFile(path.join(folder, 'redis.conf'), settingsFile(port, password), { mode: 0o600 });
    const account = { kind: 'own' } as const;
    const server = await startServerProcess({
      program,
      args: ['redis.conf'],
      cwd: folder,
      account,
      stopStages,
      onLog,
    });
    if (await untilReady(server, port, password, signal)) return { server, port, password };
    await server.stop();
    if (signal?.aborted) throw new EmbeddedError('aborted', 'Redis was stopped before it was ready');
    const portWasTaken = /address already in use|could not create server tcp/i.test(server.lastOutput());
    if (!portWasTaken || attempt === 5) {
      throw new EmbeddedError('start_failed', `Redis does not start in ${folder}: ${server.lastOutput()}`);
    }
  }
}

/** Paths are relative to the working folder, so that nothing in them needs quoting. */
function settingsFile(port: number, password: string): string {
  return [
    'bind 127.0.0.1',
    `port ${port}`,
    `requirepass ${password}`,
    'dir ./',
    'pidfile ./redis.pid',
    'daemonize no',
    'appendonly yes',
    'appendfsync everysec',
    'save ""',
    'maxmemory-policy noeviction',
    'always-show-logo no',
    '',
  ].join('\n');
}

async function untilReady(
  server: ServerProcess,
  port: number,
  password: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let ready = false;
  await until(async () => {
    ready = !server.hasEnded() && (await pingRedis(port, password)) === 'ready';
    return ready || server.hasEnded() || signal?.aborted === true;
  }, readyTimeoutMs);
  return ready;
}
