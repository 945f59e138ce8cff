import { chmod, chown, mkdir, realpath, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { EmbeddedError } from '../embedded-error.ts';
import { findFreePort } from '../find-free-port.ts';
import { keepServing } from '../keep-serving.ts';
import { lockDataDir } from '../lock-data-dir.ts';
import { type ServerProcess, type StopStage, startServerProcess } from '../start-server-process.ts';
import { stopOrphan } from '../stop-orphan.ts';
import { until } from '../until.ts';
import { findRedisProgram } from './find-redis-program.ts';
import { pingRedis } from './ping-redis.ts';
import { prepareRedisHome, type RedisHome } from './prepare-redis-home.ts';
import {
  makeLogins,
  type RedisLogin,
  type RedisUser,
  redisSettings,
  settingsName,
} from './redis-settings.ts';

/** Long, because Redis reads its whole append-only file first. */
const readyTimeoutMs = 300_000;

const stopStages: readonly [StopStage, ...StopStage[]] = [
  { signal: 'SIGTERM', waitMs: 30_000 },
  { signal: 'SIGKILL', waitMs: 10_000 },
];

/** What to serve and where to search for a server. */
export interface RedisOptions {
  /** Plimsoll's data folder; created if missing. Redis works in `redis` below it. */
  readonly dataDir: string;
  /** The PATH to search for redis-server and valkey-server. */
  readonly searchPath: string;
  /** Users besides the administrator. */
  readonly users?: readonly RedisUser[];
  /** Variables of the server's environment besides the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Gets the server's log as it arrives. */
  readonly onLog: (text: string) => void;
  /** Called when the server has ended because the disk of this folder is full; it starts again when there is space. */
  readonly onDiskFull?: (folder: string) => void;
  /** Ends the wait for a server that is not ready yet, with the error `aborted`. */
  readonly signal?: AbortSignal;
}

/** A running private Redis. */
export interface EmbeddedRedis {
  /** Connection URL of the administrator, with its password for this run. */
  readonly url: string;
  /** Connection URL of one of the users, with its password for this run. Throws for an unknown name. */
  urlOf(user: string): string;
  readonly port: number;
  /** Why the server runs as root; null if it does not, or if this process is not root. */
  readonly rootReason: string | null;
  /** Resolves when the server has ended for any reason, with a phrase like `exit code 1`. */
  readonly ended: Promise<string>;
  /** Writes all data to disk; resolves when the server has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a private Redis or Valkey on a free port of 127.0.0.1, durable (append-only file) and without eviction, and
 * waits until it accepts commands. Returns `null` if the search path has none of version 6.2 or newer. It ends with
 * this process at the latest, even if that is killed. Throws EmbeddedError.
 */
export async function startRedis(options: RedisOptions): Promise<EmbeddedRedis | null> {
  const { searchPath, users = [] } = options;
  const program = await findRedisProgram(searchPath);
  if (program === null) return null;

  const wanted = path.join(options.dataDir, 'redis');
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
    await stopEarlier(folder);
    const home = await prepareRedisHome(await realpath(options.dataDir), folder, program);
    const logins = makeLogins(users);
    const start = (port: number | null) => serve({ program, home, users, logins, port }, options);
    const first = await start(null);
    const kept = keepServing({
      first: first.server,
      serveAgain: async () => (await start(first.port)).server,
      folder,
      onDiskFull: options.onDiskFull ?? (() => undefined),
    });
    const urlOf = urlsOf(first.port, logins);
    const url = urlOf(logins[0].name);
    await announceAdmin(folder, url);
    let stopping: Promise<void> | null = null;
    return {
      url,
      urlOf,
      port: first.port,
      rootReason: home.rootReason,
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

/** Stops a server that outlived its supervisor; servers of earlier releases worked in the folder itself. */
async function stopEarlier(folder: string): Promise<void> {
  const pidFile = pidFileIn(folder);
  for (const worksIn of [path.join(folder, 'data'), folder]) await stopOrphan(pidFile, worksIn, stopStages);
  await rm(pidFile, { force: true });
}

function pidFileIn(folder: string): string {
  return path.join(folder, 'redis.pid');
}

function urlsOf(port: number, logins: readonly RedisLogin[]): (user: string) => string {
  return (user) => {
    const login = logins.find(({ name }) => name === user);
    if (login === undefined) throw new Error(`the private Redis has no user ${user}`);
    return `redis://${user}:${login.password}@127.0.0.1:${port}`;
  };
}

/**
 * Writes the administrator's URL for this run where the owner of the data folder can read it, but no app started by
 * root.
 */
async function announceAdmin(folder: string, url: string): Promise<void> {
  const file = path.join(folder, 'admin.url');
  await rm(file, { force: true });
  await writeFile(file, `${url}\n`, { mode: 0o600 });
}

interface RedisCommand {
  readonly program: string;
  readonly home: RedisHome;
  readonly users: readonly RedisUser[];
  readonly logins: readonly [RedisLogin, ...RedisLogin[]];
  /** The port that clients already use; null for a free one. */
  readonly port: number | null;
}

async function serve(
  command: RedisCommand,
  { onLog, environment, signal }: RedisOptions,
): Promise<{ readonly server: ServerProcess; readonly port: number }> {
  const { program, home, users, logins } = command;
  const { folder, dataFolder, account } = home;
  for (let attempt = 1; ; attempt += 1) {
    const port = command.port ?? (await findFreePort());
    await writeSettings(home, redisSettings(port, users, logins));
    const server = await startServerProcess({
      program,
      args: [`../${settingsName}`],
      cwd: dataFolder,
      account,
      environment,
      stopStages,
      onLog,
    });
    try {
      await writeFile(pidFileIn(folder), `${server.pid}\n`);
    } catch (error) {
      await server.stop();
      throw error;
    }
    if (await untilReady(server, port, logins[0], signal)) return { server, port };
    await server.stop();
    if (signal?.aborted) throw new EmbeddedError('aborted', 'Redis was stopped before it was ready');
    const portWasTaken = /address already in use|could not create server tcp/i.test(server.lastOutput());
    if (!portWasTaken || attempt === 5) {
      throw new EmbeddedError('start_failed', `Redis does not start in ${folder}: ${server.lastOutput()}`);
    }
  }
}

/** A file, because every user of the machine can read arguments. Only the server's group can read it. */
async function writeSettings({ folder, account }: RedisHome, text: string): Promise<void> {
  const file = path.join(folder, settingsName);
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600 });
  if (account.kind === 'own') return;
  await chown(file, 0, account.gid);
  await chmod(file, 0o640);
}

async function untilReady(
  server: ServerProcess,
  port: number,
  admin: RedisLogin,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let ready = false;
  await until(async () => {
    ready = !server.hasEnded() && (await pingRedis(port, admin)) === 'ready';
    return ready || server.hasEnded() || signal?.aborted === true;
  }, readyTimeoutMs);
  return ready;
}
