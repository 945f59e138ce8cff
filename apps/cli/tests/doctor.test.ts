import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfigInput } from '@plimsoll/config';
import { createInstanceStore, createRoundStore } from '@plimsoll/db';
import { findFreePort, lockDataDir } from '@plimsoll/embedded';
import { type Check, serviceApps } from '@plimsoll/model';
import { databasePerFile, testRoles, waitFor } from '@plimsoll/testing';
import { examine } from '../src/doctor/examine.ts';
import { announceServer } from '../src/service/running-database.ts';

const projectDir = path.resolve(__dirname, '../../..');
const database = databasePerFile();
let folder: string;
let other: Server;
let port: number;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-doctor-'));
  other = createServer((_, response) => response.writeHead(404).end()).listen(0, '127.0.0.1');
  await once(other, 'listening');
  port = (other.address() as AddressInfo).port;
});
afterEach(async () => {
  other.close();
  await rm(folder, { recursive: true, force: true });
});

/** The checks by name, with the given settings as environment variables. */
async function examined(more: Readonly<Record<string, string>> = { PLIMSOLL_DATABASE_URL: database.url }) {
  const env = {
    PLIMSOLL_CONFIG: '',
    PLIMSOLL_DATA_DIR: folder,
    ...more,
  };
  const readInput = () => readConfigInput({ env, configPath: null, projectDir });
  const checks = await examine({ readInput, env, projectDir });
  return (name: string): Check | undefined => checks.find((check) => check.name === name);
}
const says = (state: Check['state'], words: string) =>
  expect.objectContaining({ state, says: expect.stringContaining(words) });

it('finds a good database ok, that nothing runs on it, and that it was never backed up', async () => {
  const check = await examined();
  for (const name of ['configuration', 'database', 'schema', 'database roles', 'clock'])
    expect(check(name)).toMatchObject({ state: 'ok', do: null });
  expect(check('processes')).toEqual(says('fault', 'does not run'));
  expect(check('backup')).toEqual(says('warning', 'never'));
  expect(check('rounds')?.state).toBe('unknown');
  expect(check('queue')).toEqual(says('unknown', 'Redis of its own'));
  expect(check('feed servers')).toEqual(says('unknown', 'No host needs a feed'));
});

it('calls a missing migration, rounds, roles and an old backup by their names', async () => {
  const { pool } = database.db;
  const [rounds, instances] = [createRoundStore(database.db), createInstanceStore(database.db)];
  await rounds.noteFailure('drop old uploads', 'no luck');
  await rounds.noteSuccess('back up');
  await pool.query(`UPDATE rounds SET last_ok_at = now() + interval '3 days' WHERE name = 'back up'`);
  const last = `(SELECT max(migration_name COLLATE "C") FROM _prisma_migrations)`;
  await pool.query(`UPDATE _prisma_migrations SET finished_at = NULL WHERE migration_name = ${last}`);
  const role = testRoles.apps['report-worker'];
  await pool.query(`GRANT SELECT ON users TO ${role}`);
  try {
    const check = await examined();
    expect(check('rounds')).toEqual(says('fault', 'Failing: drop old uploads.'));
    expect(check('backup')).toEqual(says('warning', 'two days ago, or a clock was ahead'));
    expect(check('schema')).toEqual(says('fault', 'The database lacks 1 migrations.'));
    expect(check('database roles')).toEqual(says('fault', `too many rights: ${role}.`));

    // After a long stop.
    await pool.query(`REVOKE SELECT ON users FROM ${role}; REVOKE SELECT ON rounds FROM ${role}`);
    await pool.query(
      `UPDATE rounds SET failed_at = NULL, error = NULL, last_ok_at = now() - interval '3 days'`,
    );
    const lateRounds = async () => (await examined())('rounds');
    expect(await lateRounds()).toEqual(says('unknown', 'The service does not run. Due: drop old uploads.'));
    for (const app of serviceApps) await instances.begin({ app, hostname: 'h', pid: 1, version: '1' });
    expect(await lateRounds()).toEqual(says('unknown', 'not run since the start'));
    await pool.query(`UPDATE instances SET started_at = now() - interval '11 minutes'`);
    const later = await examined();
    expect(later('rounds')).toEqual(says('fault', 'Late: drop old uploads.'));
    expect(later('processes')).toEqual(says('ok', '6 processes'));
    expect(later('database roles')).toEqual(says('fault', `too few rights: ${role}.`));
  } finally {
    await pool.query(`GRANT SELECT ON rounds TO ${role}`);
    await pool.query('UPDATE _prisma_migrations SET finished_at = now() WHERE finished_at IS NULL');
    await pool.query('DELETE FROM rounds; DELETE FROM instances');
  }
});

it('still gives the other lines while the database is away, and nothing about it is ok', async () => {
  const check = await examined({ PLIMSOLL_DATABASE_URL: 'postgresql://a:b@127.0.0.1:1/x' });
  expect(check('database')).toMatchObject({ state: 'fault', says: expect.not.stringContaining('a:b@') });
  for (const name of ['processes', 'schema', 'database roles', 'clock', 'rounds', 'backup', 'feeds', 'queue'])
    expect(check(name)?.state).toBe('unknown');
  expect(check('disk')?.says).toContain('(downloads)'); // below a folder that is there
});

it('tells a stopped service from a wrong folder, and finds what it can: files, ports, backups', async () => {
  const env = {
    PLIMSOLL_API_HOST: '127.0.0.1',
    PORT: String(port),
    PLIMSOLL_WORKER_HEALTH_PORT: String(port),
    PLIMSOLL_BACKUP_DIR: path.join(folder, 'backups'),
  };
  expect((await examined(env))('service')).toEqual(says('fault', 'has no data of Plimsoll'));
  await Promise.all(
    ['secrets', 'backups/before-migrations'].map((name) =>
      mkdir(path.join(folder, name), { recursive: true }),
    ),
  );
  const settings = path.join(folder, 'plimsoll.yaml');
  const backups = ['', 'before-migrations/'].map((place) => `${place}plimsoll-20260102T030405Z.tar`);
  backups.push('plimsoll-29990102T030405Z.tar');
  const files = ['secrets/api.jwt_secret_key', ...backups.map((name) => `backups/${name}`)];
  for (const name of files) await writeFile(path.join(folder, name), '');
  await writeFile(settings, 'api: { setup_code: not for all users }');
  for (const name of [...files, settings]) await chmod(path.resolve(folder, name), 0o644);
  const check = await examined({ ...env, PLIMSOLL_CONFIG: settings });
  expect(check('service')).toEqual(says('fault', 'does not run'));
  expect(check('API port')).toEqual(says('fault', 'is taken by'));
  expect(check('health ports')).toEqual(
    says('warning', `report-worker at http://127.0.0.1:${port}/healthz: 404`),
  );
  expect(check('file modes')?.state).toBe('fault');
  for (const name of [...files, settings])
    expect(check('file modes')?.says).toContain(`${path.resolve(folder, name)} (mode 644)`);
  expect(check('backup')).toEqual(says('warning', '2026-01-02T03:04:05.000Z'));
  expect(check('certificate')?.state).toBe('unknown');
});

it('names every wrong setting, and checks nothing by guessed ones', async () => {
  const check = await examined({ PLIMSOLL_API_PORT: 'many' });
  expect(check('configuration')).toEqual(says('fault', 'api.port'));
  expect(check('database')).toBeUndefined();
});

it('asks the servers of feeds by the rules of a sync', async () => {
  const own = `http://127.0.0.1:${port}/kev.json`;
  const urls = (epss: string) => ({ PLIMSOLL_FEEDS_URLS: `cisa-kev=${own},epss=${epss}` });
  const refused = await examined(urls('http://127.0.0.1:1/epss.csv'));
  const check = refused('feed servers');
  expect(check).toEqual(says('warning', `2 of 2 servers`));
  expect(check).toEqual(says('warning', '127.0.0.1 answered 404'));
  expect(check).toEqual(says('warning', '127.0.0.1 cannot be connected to (ECONNREFUSED)'));
  other.removeAllListeners('request').on('request', (_, response) => response.end('{}'));
  const answered = (await examined(urls(`${own}?2`)))('feed servers');
  expect(answered).toEqual(says('unknown', `http://127.0.0.1:${port}`));
  expect(answered).toEqual(says('unknown', 'Which feeds hosts need is in the database.'));
});

it.each([
  [['--maxmemory-policy', 'noeviction'], 'ok', 'memory only'],
  [['--maxmemory-policy', 'allkeys-lru'], 'fault', 'allkeys-lru'],
] as const)('with %j, the private Redis of the queue is %s', async (settings, state, words) => {
  const redisPort = `${await findFreePort()}`;
  const server = spawn('redis-server', [
    '--port',
    redisPort,
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    ...settings,
  ]);
  const ended = once(server, 'exit');
  const held = await lockDataDir(folder);
  try {
    await announceServer(folder, 'redis', `redis://127.0.0.1:${redisPort}`);
    let queue: Check | undefined;
    await waitFor('Redis', async () => {
      queue = (await examined())('queue');
      return queue?.says.includes('away') === false;
    });
    expect(queue).toEqual(says(state, words));
  } finally {
    if (held.kind === 'locked') await held.lock.release();
    server.kill('SIGKILL');
    await ended;
  }
});
