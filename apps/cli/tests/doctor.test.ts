import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readConfigInput } from '@plimsoll/config';
import { createRoundStore } from '@plimsoll/db';
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
  expect(check('disk')?.state).toBe('unknown'); // the folders for logs and downloads do not exist yet
  expect(check('Node.js')).toBeDefined();
});

it('finds a stopped service with a private database and a foreign program on its port', async () => {
  const other = createServer((_, response) => response.writeHead(404).end());
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  const port = String((other.address() as AddressInfo).port);
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
  } finally {
    other.close();
  }
});

it('names every wrong setting, and checks nothing by guessed ones', async () => {
  const check = await examined({ PLIMSOLL_API_PORT: 'many' });
  expect(check('configuration')).toMatchObject({ state: 'fault', says: expect.stringContaining('api.port') });
  expect(check('database')).toBeUndefined();
});
