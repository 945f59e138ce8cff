import path from 'node:path';
import type { Config } from '@plimsoll/config';
import { type EmbeddedPostgres, startPostgres, startRedis } from '@plimsoll/embedded';
import { createKeyFiles } from '@plimsoll/secrets';
import { keyFilePaths } from '../secrets/key-file-paths.ts';
import type { CleanupStack } from './cleanup-stack.ts';
import { generatedSecret } from './generated-secret.ts';
import type { Log } from './open-log.ts';
import { StartError } from './start-error.ts';

/** What the servers need and whom they tell. */
export interface BackingOptions {
  readonly config: Config;
  /** The PATH on which a Redis is looked for. */
  readonly searchPath: string;
  readonly cleanup: CleanupStack;
  readonly openLog: (name: string) => Log;
  /** Called when a private server ends that was not asked to. */
  readonly onServerEnd: (server: string, how: string) => void;
  readonly stop: AbortSignal;
}

/** What the apps can count on. */
export interface BackingServices {
  /** The configuration with everything filled in that was started or made here. */
  readonly config: Config;
  readonly databaseUrl: string;
  /** The folder of the private database, or `null` when it is someone else's. */
  readonly databaseHome: string | null;
  /** What serves the private database, for a person; `null` when it is someone else's. */
  readonly databaseServer: string | null;
}

/** Starts or makes what the configuration leaves out: a private database, a private Redis if there is one, secrets. */
export async function startBackingServices(options: BackingOptions): Promise<BackingServices> {
  const { config } = options;
  const secret =
    config['api.jwt_secret_key'] ??
    (await generatedSecret(path.join(config.data_dir, 'secrets', 'api.jwt_secret_key')));
  const keyFiles = keyFilePaths(config);
  await createKeyFiles(keyFiles);
  const database = await provideDatabase(options);
  const redisUrl = config['queue.backend'] === 'postgres' ? null : await provideRedis(options);
  if (redisUrl === null && config['queue.backend'] === 'redis') {
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
      'database.url': database.url,
      'redis.url': redisUrl,
      'queue.backend': redisUrl === null ? 'postgres' : 'redis',
    },
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
  const server = await startPostgres({ dataDir: config.data_dir, onLog: log.write, signal: stop });
  watchServer('PostgreSQL', server.ended, server.stop, cleanup, onServerEnd);
  return { url: server.url, home: server.home, server: serverWords(server) };
}

function serverWords({ version, origin }: EmbeddedPostgres): string {
  return origin === 'installed'
    ? `PostgreSQL ${version}, installed on this machine`
    : `PostgreSQL ${version} packaged with Plimsoll; its libraries get no security updates. Install PostgreSQL ` +
        `${version.split('.')[0]} from your distribution and it is used instead`;
}

async function provideRedis(options: BackingOptions): Promise<string | null> {
  const { config, searchPath, cleanup, openLog, onServerEnd, stop } = options;
  const given = config['redis.url'];
  if (given !== null) return given;

  const log = openLog('redis');
  const server = await startRedis({ dataDir: config.data_dir, searchPath, onLog: log.write, signal: stop });
  if (server === null) return null;
  watchServer('Redis', server.ended, server.stop, cleanup, onServerEnd);
  return server.url;
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
