import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readConfigInput } from '@plimsoll/config';
import { createRoundStore } from '@plimsoll/db';
import { findFreePort } from '@plimsoll/embedded';
import type { Check } from '@plimsoll/model';
import { databasePerFile } from '@plimsoll/testing';
import { examine } from '../src/doctor/examine.ts';

const projectDir = path.resolve(__dirname, '../../..');
const database = databasePerFile();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-doctor-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** The checks by name, with the given settings as environment variables. */
async function examined(env: Readonly<Record<string, string>> = {}) {
  const place = {
    env: { PLIMSOLL_CONFIG: '', PLIMSOLL_DATA_DIR: folder, PLIMSOLL_DATABASE_URL: database.url, ...env },
    configPath: null,
    projectDir,
  };
  const checks = await examine({ readInput: () => readConfigInput(place), projectDir });
  return (name: string): Check | undefined => checks.find((check) => check.name === name);
}

it('finds a good database ok, and says that it was never backed up', async () => {
  const check = await examined();
  for (const name of ['configuration', 'database', 'schema', 'clock', 'queue'])
    expect(check(name)).toMatchObject({ state: 'ok', do: null });
  expect(check('backup')).toMatchObject({ state: 'warning', says: expect.stringContaining('never') });
  expect(check('rounds')?.state).toBe('unknown');
  expect(check('feed addresses')?.state).toBe('unknown');
});

it('calls a missing migration, a failing round and an old backup by their names', async () => {
  const { db } = database;
  const rounds = createRoundStore(db);
  await rounds.noteFailure('drop old uploads', 'no luck');
  await rounds.noteSuccess('back up');
  await db.pool.query(`UPDATE rounds SET last_ok_at = now() - interval '3 days' WHERE name = 'back up'`);
  const last = `(SELECT max(migration_name COLLATE "C") FROM _prisma_migrations)`;
  await db.pool.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${last}`);
  try {
    const check = await examined();
    expect(check('rounds')).toMatchObject({ state: 'fault', says: 'Failing: drop old uploads.' });
    expect(check('backup')).toMatchObject({ state: 'warning', says: expect.stringContaining('two days') });
    expect(check('schema')).toMatchObject({ state: 'fault', says: 'The database lacks 1 migrations.' });
  } finally {
    await db.pool.query('UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL');
    await db.pool.query('DELETE FROM rounds');
  }
});

it('still gives the other lines while the database is away, and nothing about it is ok', async () => {
  const check = await examined({ PLIMSOLL_DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/x' });
  expect(check('database')).toMatchObject({ state: 'fault', says: expect.not.stringContaining('a:b@') });
  for (const name of ['schema', 'clock', 'rounds', 'backup', 'feeds', 'queue'])
    expect(check(name)?.state).toBe('unknown');
  expect(check('disk')?.says).toContain('(downloads)'); // below a folder that is there
  expect(check('Node.js')).toBeDefined();
});

it('finds a stopped service with a private database, a foreign program on its port, and an open secret', async () => {
  const other = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = String((other.address() as AddressInfo).port);
  await mkdir(path.join(folder, 'secrets'));
  const file = path.join(folder, 'secrets', 'api.jwt_secret_key');
  await writeFile(file, 'x');
  await chmod(file, 0o644);
  try {
    const place = {
      PLIMSOLL_CONFIG: '',
      PLIMSOLL_DATA_DIR: folder,
      PLIMSOLL_API_HOST: '127.0.0.1',
      PORT: port,
    };
    const checks = await examine({
      readInput: () => readConfigInput({ env: place, configPath: null, projectDir }),
      projectDir,
    });
    const stateOf = (name: string) => checks.find((check) => check.name === name);
    expect(stateOf('database')).toMatchObject({
      state: 'unknown',
      says: expect.stringContaining('No service'),
    });
    expect(stateOf('API port')).toMatchObject({
      state: 'fault',
      says: expect.stringContaining('is taken by'),
    });
    expect(stateOf('file modes')).toMatchObject({
      state: 'fault',
      says: expect.stringContaining('mode 644'),
    });
    expect(stateOf('certificate')?.state).toBe('unknown');
  } finally {
    other.close();
  }
});

it('names every wrong setting, and checks nothing by guessed ones', async () => {
  const check = await examined({ PLIMSOLL_API_PORT: 'many' });
  expect(check('configuration')).toMatchObject({ state: 'fault', says: expect.stringContaining('api.port') });
  expect(check('database')).toBeUndefined();
});

it.each([
  [['--maxmemory-policy', 'noeviction'], 'ok', 'memory only'],
  [['--maxmemory-policy', 'allkeys-lru'], 'fault', 'allkeys-lru'],
])('with %j, the Redis of the queue is %s', async (settings, state, words) => {
  const port = `${await findFreePort()}`;
  const server = spawn('redis-server', ['--port', port, '--bind', '127.0.0.1', '--save', '', ...settings]);
  const ended = once(server, 'exit');
  try {
    await delay(1_000);
    const env = { PLIMSOLL_REDIS_URL: `redis://127.0.0.1:${port}`, PLIMSOLL_QUEUE_BACKEND: 'redis' };
    const queue = (await examined(env))('queue');
    expect(queue).toMatchObject({ state, says: expect.stringContaining(words) });
  } finally {
    server.kill('SIGKILL');
    await ended;
  }
});
