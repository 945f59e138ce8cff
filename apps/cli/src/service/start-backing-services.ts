import path from 'node:path';
import type { Config } from '@plimsoll/config';
import { type EmbeddedPostgres, startPostgres, startRedis } from '@plimsoll/embedded';
import { serviceApps } from '@plimsoll/model';
import { checkRedis, redisUserOf } from '@plimsoll/queue';
import { createKeyFiles } from '@plimsoll/secrets';
import { keyFilePaths } from '../secrets/key-file-paths.ts';
import type { CleanupStack } from './cleanup-stack.ts';
import { generatedSecret } from './generated-secret.ts';
import type { Log } from './open-log.ts';
import { StartError } from './start-error.ts';

/** What the servers need, and their callbacks. */
export interface BackingOptions {
  readonly config: Config;
  /** The PATH to search for Redis. */
  readonly searchPath: string;
  readonly cleanup: CleanupStack;
  readonly openLog: (name: string) => Log;
  /** Called when a private server ends without being stopped, and is not started again. */
  readonly onServerEnd: (server: string, how: string) => void;
  /** Called when a private server has ended because its disk is full; it is started again when there is space. */
  readonly onDiskFull: (server: string, folder: string) => void;
  readonly stop: AbortSignal;
  /** Prints a warning. */
  readonly warn: (line: string) => void;
}

/** The services available to the apps. */
export interface BackingServices {
  /** The configuration with everything filled in that was started or made here, except for the URL of Redis. */
  readonly config: Config;
  /** The Redis URL of an app; null if it does not use Redis. */
  readonly redisUrlOf: (app: string) => string | null;
  /** Why a private Redis runs as root; null if it does not. */
  readonly redisRootReason: string | null;
  /** Where the queue is, and why. */
  readonly queueWords: string;
  readonly databaseUrl: string;
  /** The folder of the private database, or `null` for an external one. */
  readonly databaseHome: string | null;
  /** A description of the private database's server; `null` for an external one. */
  readonly databaseServer: string | null;
}

/** Starts or makes what the configuration omits: a private database, a private Redis if available, secrets. */
export async function startBackingServices(options: BackingOptions): Promise<BackingServices> {
  const { config } = options;
  const secret =
    config['api.jwt_secret_key'] ??
    (await generatedSecret(path.join(config.data_dir, 'secrets', 'api.jwt_secret_key')));
  const keyFiles = keyFilePaths(config);
  await createKeyFiles(keyFiles);
  const database = await provideDatabase(options);
  const redis = config['queue.backend'] === 'postgres' ? null : await provideRedis(options);
  if (redis === null && config['queue.backend'] === 'redis') {
    throw new StartError(
      'queue.backend is redis, but redis.url is not set and there is no redis-server or valkey-server (6.2 or newer) ' +
        'on the PATH. Install one, set redis.url, or set queue.backend to auto.',
    );
  }
  return {
    config: {
      ...config,
      'api.jwt_secret_key': secret,
      'ssh.sealing_keys_file': keyFiles.keysFile,
      'ssh.sealing_public_key_file': keyFiles.publicKeyFile,
      'notifications.keys_dir':
        config['notifications.keys_dir'] ?? path.join(config.data_dir, 'secrets', 'notifications'),
      'database.url': database.url,
      'redis.url': null,
      'queue.backend': redis === null ? 'postgres' : 'redis',
    },
    redisUrlOf: redis?.urlOf ?? (() => null),
    redisRootReason: redis?.rootReason ?? null,
    queueWords:
      redis?.words ?? queueInDatabase[config['queue.backend'] === 'postgres' ? 'wanted' : 'noRedis'],
    databaseUrl: database.url,
    databaseHome: database.home,
    databaseServer: database.server,
  };
}

interface ProvidedDatabase {
  readonly url: string;
  readonly home: string | null;
  readonly server: string | null;
}

async function provideDatabase(options: BackingOptions): Promise<ProvidedDatabase> {
  const { config, cleanup, openLog, onServerEnd, stop } = options;
  const given = config['database.url'];
  if (given !== null) return { url: given, home: null, server: null };

  const log = openLog('postgres');
  const server = await startPostgres({
    dataDir: config.data_dir,
    onLog: log.write,
    onDiskFull: (folder) => options.onDiskFull('PostgreSQL', folder),
    signal: stop,
  });
  watchServer('PostgreSQL', server.ended, server.stop, cleanup, onServerEnd);
  return { url: server.url, home: server.home, server: serverWords(server) };
}

function serverWords({ version, origin }: EmbeddedPostgres): string {
  return origin === 'installed'
    ? `PostgreSQL ${version}, installed on this machine`
    : `PostgreSQL ${version} packaged with Plimsoll; its libraries get no security updates. Install PostgreSQL ` +
        `${version.split('.')[0]} from your distribution and it is used instead`;
}

const queueInDatabase = {
  wanted: 'in the database, because queue.backend is postgres',
  noRedis:
    'in the database, because there is no redis-server or valkey-server (6.2 or newer) on the PATH. With one, which is ' +
    'better for many hosts, it is used instead',
} as const;

interface ProvidedRedis {
  readonly words: string;
  readonly urlOf: (app: string) => string | null;
  readonly rootReason: string | null;
}

async function provideRedis(options: BackingOptions): Promise<ProvidedRedis | null> {
  const { config, searchPath, cleanup, openLog, onServerEnd, stop } = options;
  const given = config['redis.url'];
  if (given !== null) {
    const words = await checkGivenRedis(given, config['queue.prefix'], options.warn);
    return { urlOf: () => given, rootReason: null, words };
  }

  const log = openLog('redis');
  const users = new Map(serviceApps.map((app) => [String(app), redisUserOf(app, config['queue.prefix'])]));
  const server = await startRedis({
    dataDir: config.data_dir,
    searchPath,
    users: [...users.values()],
    onLog: log.write,
    onDiskFull: (folder) => options.onDiskFull('Redis', folder),
    signal: stop,
  });
  if (server === null) return null;
  watchServer('Redis', server.ended, server.stop, cleanup, onServerEnd);
  return {
    urlOf: (app) => {
      const user = users.get(app);
      return user === undefined ? null : server.urlOf(user.name);
    },
    rootReason: server.rootReason,
    words: 'a Redis of its own',
  };
}

/** Describes the Redis of `redis.url`. Warns if it is away, which reports can wait for; throws if it refuses. */
async function checkGivenRedis(url: string, prefix: string, warn: (line: string) => void): Promise<string> {
  const { hostname, port } = new URL(url);
  const words = `Redis at ${hostname}:${port || 6379} (redis.url)`;
  const check = await checkRedis(url, prefix);
  if (check.kind === 'refuses') {
    throw new StartError(
      `${words} refuses the connection: ${check.reason}. Correct its user and password in redis.url (PLIMSOLL_REDIS_URL).`,
    );
  }
  if (check.kind === 'away')
    warn(`The queue is away: ${words}: ${check.reason}. Reports are accepted and wait until it is back.`);
  return words;
}

function watchServer(
  name: string,
  ended: Promise<string>,
  stop: () => Promise<void>,
  cleanup: CleanupStack,
  onServerEnd: (server: string, how: string) => void,
): void {
  let stopping = false;
  cleanup.add(() => {
    stopping = true;
    return stop();
  });
  void ended.then((how) => {
    if (!stopping) onServerEnd(name, how);
  });
}
