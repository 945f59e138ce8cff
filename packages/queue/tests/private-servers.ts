import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type EmbeddedPostgres, findFreePort, startPostgres } from '@plimsoll/embedded';
import type { QueueBackend } from '../src/index.ts';

/** A server for one test file only, which can be stopped and started again at the same address. */
export interface PrivateServer {
  readonly where: QueueBackend;
  /** Stops it; Redis by SIGKILL. No effect if it is stopped. */
  stop(): Promise<void>;
  /** Starts it with its previous data. No effect if it is running. */
  start(): Promise<void>;
  /** Deletes the data of a stopped server. */
  wipe(): Promise<void>;
}

/** A running private PostgreSQL. */
export async function startPrivatePostgres(): Promise<PrivateServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'plimsoll-queue-'));
  const port = `${await findFreePort()}`;
  const log: string[] = [];
  const start = () =>
    startPostgres({ dataDir, settings: { port, fsync: 'off' }, onLog: (text) => log.push(text) });
  let server: EmbeddedPostgres | null = await start();
  const { home } = server;
  const url = new URL(server.url);
  url.port = port;
  return {
    where: { kind: 'postgres', url: url.href },
    stop: async () => {
      await server?.stop();
      server = null;
    },
    start: async () => {
      server ??= await start();
    },
    wipe: async () => {
      await rm(dataDir, { recursive: true, force: true });
      await rm(home, { recursive: true, force: true });
    },
  };
}

/** A running private Redis. Needs a redis-server on the PATH. */
export async function startPrivateRedis(): Promise<PrivateServer> {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'plimsoll-queue-'));
  const port = `${await findFreePort()}`;
  let server: ChildProcess | null = await spawnRedis(port, dataDir);
  return {
    where: { kind: 'redis', url: `redis://127.0.0.1:${port}`, prefix: '{plimsoll}' },
    stop: async () => {
      server?.kill('SIGKILL');
      if (server !== null) await once(server, 'exit');
      server = null;
    },
    start: async () => {
      server ??= await spawnRedis(port, dataDir);
    },
    wipe: () => rm(dataDir, { recursive: true, force: true }),
  };
}

async function spawnRedis(port: string, dataDir: string): Promise<ChildProcess> {
  await mkdir(dataDir, { recursive: true });
  const server = spawn(
    'redis-server',
    ['--port', port, '--bind', '127.0.0.1', '--save', '', '--appendonly', 'yes', '--dir', dataDir],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  await new Promise<void>((resolve, reject) => {
    server.stdout.on('data', (chunk) => {
      if (String(chunk).includes('Ready to accept connections')) resolve();
    });
    server.once('exit', () => reject(new Error('redis-server ended')));
    server.once('error', reject);
  });
  return server;
}
