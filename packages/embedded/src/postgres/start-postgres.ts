import { mkdir, readFile, realpath } from 'node:fs/promises';
import { totalmem } from 'node:os';
import path from 'node:path';
import { EmbeddedError } from '../embedded-error.ts';
import { findFreePort } from '../find-free-port.ts';
import { keepServing } from '../keep-serving.ts';
import { lockDataDir } from '../lock-data-dir.ts';
import type { Account } from '../run-program.ts';
import { type ServerProcess, startServerProcess } from '../start-server-process.ts';
import { until } from '../until.ts';
import {
  findPostgresBinaries,
  type PostgresBinaries,
  type PostgresOrigin,
} from './find-postgres-binaries.ts';
import { findServerAccount } from './find-server-account.ts';
import {
  databaseName,
  type PostgresCluster,
  postgresStopStages,
  preparePostgresCluster,
} from './prepare-postgres-cluster.ts';
import { preparePostgresHome } from './prepare-postgres-home.ts';

/** Long, because a killed server replays its log first. */
const readyTimeoutMs = 300_000;

/** What to serve and how. */
export interface PostgresOptions {
  /** Plimsoll's data folder; created if missing. The cluster is in `postgres` below it. */
  readonly dataDir: string;
  /** Gets the server's log as it arrives. */
  readonly onLog: (text: string) => void;
  /** Server settings added to the usual ones, for instance `{ fsync: 'off' }` for temporary data. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Variables of the server's environment besides the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Folders whose `bin` may have an installed server, which takes precedence over the packaged one; default: the usual
   * ones.
   */
  readonly installedFolders?: readonly string[];
  /** Called when the server has ended because the disk of this folder is full; it starts again when there is space. */
  readonly onDiskFull?: (folder: string) => void;
  /** Ends the wait for a server that is not ready yet, with the error `aborted`. */
  readonly signal?: AbortSignal;
}

/** A running private PostgreSQL. */
export interface EmbeddedPostgres {
  /** Connection URL of the superuser, with its password. */
  readonly url: string;
  readonly port: number;
  /** The server's version, for instance `18.4`, and its origin. */
  readonly version: string;
  readonly origin: PostgresOrigin;
  /** The folder with the cluster; outside the data folder if the server's user cannot reach that. */
  readonly home: string;
  /**
   * Resolves when the server has ended and is not started again, with a phrase like `exit code 1`: it was stopped, or
   * ended six times in a row.
   */
  readonly ended: Promise<string>;
  /** Fast shutdown; resolves when the server has ended. */
  stop(): Promise<void>;
}

/**
 * Starts a private PostgreSQL on a free port of 127.0.0.1 and waits until it accepts connections. If it ends, it is
 * started again on this port. It ends with this process at the latest, even if that is killed. Throws EmbeddedError, whose detail says what to do.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  await mkdir(options.dataDir, { recursive: true, mode: 0o700 });
  const dataDir = await realpath(options.dataDir);
  const account = await findServerAccount(path.join(dataDir, 'postgres', 'cluster'));
  const home = await preparePostgresHome(dataDir, account);
  const locking = await lockDataDir(home);
  if (locking.kind === 'held') {
    throw new EmbeddedError(
      'data_in_use',
      `the database in ${home} is already served by process ${locking.pid}`,
    );
  }
  try {
    const binaries = await findPostgresBinaries(account, home, options.installedFolders);
    const cluster = await preparePostgresCluster(home, binaries, account);
    const first = await serve(cluster, binaries, account, { ...options, port: null });
    const { port } = first;
    const kept = keepServing({
      first: first.server,
      serveAgain: async () => {
        const again = await preparePostgresCluster(home, binaries, account);
        return (await serve(again, binaries, account, { ...options, port })).server;
      },
      folder: home,
      onDiskFull: options.onDiskFull ?? (() => undefined),
    });
    let stopping: Promise<void> | null = null;
    return {
      url: `postgresql://${databaseName}:${cluster.password}@127.0.0.1:${port}/${databaseName}`,
      port,
      home,
      version: binaries.version,
      origin: binaries.origin,
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

async function serve(
  cluster: PostgresCluster,
  { postgres }: PostgresBinaries,
  account: Account,
  {
    onLog,
    settings = {},
    environment,
    signal,
    port: wanted,
  }: PostgresOptions & { readonly port: number | null },
): Promise<{ server: ServerProcess; port: number }> {
  for (let attempt = 1; ; attempt += 1) {
    const port = wanted ?? (await findFreePort());
    const server = await startServerProcess({
      program: postgres,
      args: [
        '-D',
        cluster.folder,
        ...settingArguments({
          ...usualSettings,
          shared_buffers: `${sharedMegabytes(memoryBytes())}MB`,
          port: String(port),
          ...settings,
        }),
      ],
      cwd: cluster.folder,
      account,
      environment,
      stopStages: postgresStopStages,
      onLog,
    });
    if (await untilReady(server, cluster.folder, signal)) return { server, port };
    await server.stop();
    if (signal?.aborted) throw new EmbeddedError('aborted', 'PostgreSQL was stopped before it was ready');
    const portWasTaken = server.lastOutput().includes('could not bind');
    if (!portWasTaken || attempt === 5) {
      throw new EmbeddedError(
        'start_failed',
        `PostgreSQL does not start in ${cluster.folder}: ${server.lastOutput()}`,
      );
    }
  }
}

const usualSettings: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '200',
  jit: 'off',
  wal_compression: 'pglz',
  // Imports write a gigabyte within a minute; each checkpoint makes the pages of the next minutes be written whole.
  max_wal_size: '2GB',
  timezone: 'UTC',
  log_timezone: 'UTC',
  lc_messages: 'C',
  log_checkpoints: 'off',
  cluster_name: databaseName,
};

/**
 * The size of `shared_buffers` in MB for a machine with so much memory: a sixteenth, 256 to 1,024 MB, because all other processes of the
 * service run there, too. The rows of 100,000 hosts take 850 MB.
 */
export function sharedMegabytes(bytes: number): number {
  return Math.min(1_024, Math.max(256, Math.floor(bytes / 16 / 2 ** 20)));
}

/** The memory of the machine, or what its control group allows. */
function memoryBytes(): number {
  const limit = process.constrainedMemory?.() ?? 0;
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

function settingArguments(settings: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The server writes its state to line 8 of postmaster.pid; pg_ctl reads it there too. */
async function untilReady(
  server: ServerProcess,
  folder: string,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  let ready = false;
  await until(async () => {
    const text = await readFile(path.join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
    const lines = text.split('\n');
    ready = !server.hasEnded() && Number(lines[0]) === server.pid && lines[7]?.trim() === 'ready';
    return ready || server.hasEnded() || signal?.aborted === true;
  }, readyTimeoutMs);
  return ready;
}
