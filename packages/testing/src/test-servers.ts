import { mkdtemp, readFile, rm, statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startPostgres, startRedis } from '@plimsoll/embedded';
import pg from 'pg';
import { migrateTestDatabase, shortenLogins } from './test-roles.ts';

/** Name of the migrated database from which all test databases are copied. */
export const templateDatabase = 'plimsoll_template';

/** Real servers for a test run, with all their files in one temporary folder. */
export interface TestServers {
  readonly postgresUrl: string;
  /** Null without redis-server or valkey-server on the PATH. */
  readonly redisUrl: string | null;
  /** The temporary folder, which `stop` removes. */
  readonly dataDir: string;
  stop(): Promise<void>;
}

/** Starts the servers and migrates the template database. `projectDir` is the root of the checkout. */
export async function startTestServers(projectDir: string, searchPath: string): Promise<TestServers> {
  const dataDir = await mkdtemp(path.join((await memoryFolder()) ?? tmpdir(), 'plimsoll-test-'));
  // For root, the server runs as another user, who must be able to pass.
  const log: string[] = [];
  const postgres = await startPostgres({
    dataDir,
    onLog: (text) => log.push(text),
    // Nothing outlives the run, so durability is not needed.
    settings: { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_wal_size: '256MB' },
  });
  const redis = await startRedis({ dataDir, searchPath, onLog: (text) => log.push(text) });
  const stop = async () => {
    await redis?.stop();
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
    if (!postgres.home.startsWith(dataDir)) await rm(postgres.home, { recursive: true, force: true });
  };
  try {
    await migrateTemplate(postgres.url, projectDir);
  } catch (error) {
    await stop();
    throw error;
  }
  return { postgresUrl: postgres.url, redisUrl: redis?.url ?? null, dataDir, stop };
}

const sharedMemory = '/dev/shm';
/** A run needs about one; the rest of the memory is for its processes. */
const leastFreeBytes = 8 * 1024 ** 3;

/**
 * A folder in memory, where a test database is created in half the time; null on a machine without much memory, or
 * where programs in this folder may not run.
 */
async function memoryFolder(): Promise<string | null> {
  const mounts = await readFile('/proc/mounts', 'utf8').catch(() => '');
  const [, , type, options = ''] =
    mounts
      .split('\n')
      .map((line) => line.split(' '))
      .findLast(([, folder]) => folder === sharedMemory) ?? [];
  if (type !== 'tmpfs' || options.split(',').some((option) => ['noexec', 'ro'].includes(option))) return null;
  const { bavail, bsize } = await statfs(sharedMemory);
  return bavail * bsize >= leastFreeBytes ? sharedMemory : null;
}

async function migrateTemplate(postgresUrl: string, projectDir: string): Promise<void> {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(`CREATE DATABASE ${templateDatabase}`);
    await migrateTestDatabase(databaseUrl(postgresUrl, templateDatabase), projectDir);
    await shortenLogins(client, postgresUrl);
  } finally {
    await client.end();
  }
}

/** The URL of another database on the same server. */
export function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}
