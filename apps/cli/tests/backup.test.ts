import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { readConfig } from '@plimsoll/config';
import { applyMigrations, createRoundStore, type Database } from '@plimsoll/db';
import { databasePerFile, testPostgresUrl, waitFor } from '@plimsoll/testing';
import pg from 'pg';
import { pieceName } from '../src/backup/backup-format.ts';
import { checkBackup, createBackup } from '../src/backup/create-backup.ts';
import { readBackup } from '../src/backup/read-backup.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { backUpOnce, runBackups } from '../src/backup/run-backups.ts';
import { readTar, tarEnd, tarEntry } from '../src/backup/tar.ts';

const root = path.resolve(__dirname, '../../..');

const database = databasePerFile();
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-backup-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** Backs up the database of this file, without any key file. */
async function backUp(more: { readonly databaseUrl?: string; readonly folder?: string } = {}) {
  const config = await readConfig({ env: { PLIMSOLL_CONFIG: '' }, configPath: null, projectDir: folder });
  return createBackup({
    databaseUrl: database.url,
    config,
    settingsFile: null,
    withKeys: true,
    folder,
    say: () => undefined,
    ...more,
  });
}

/** The rows of some tables of a backup, as text. */
async function tablesOf(file: string): Promise<Readonly<Record<string, string>>> {
  const texts: Record<string, string> = {};
  await readBackup(Readable.from([await readFile(file)]), () => ({
    table: async (name, rows) => {
      texts[name] = '';
      for await (const chunk of rows) texts[name] += chunk.toString('utf8');
    },
    file: () => undefined,
  }));
  return texts;
}

const lastRun = async (db: Database) =>
  (await createRoundStore(db).list()).find(({ name }) => name === 'back up');

it('has every row of one state, while hosts are added, and nothing that other users can read', async () => {
  // A host and its contact are added by one statement: a backup has both or neither.
  const addHosts = () =>
    database.db.pool.query(
      `WITH made AS (SELECT gen_random_uuid() AS id FROM generate_series(1, 50)),
         h AS (INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
               SELECT id, 'agent', 'approved', 'name', E'tab\\t line\\n' FROM made)
       INSERT INTO host_contacts (host_id, last_seen_at, stale_after_seconds) SELECT id, now(), 900 FROM made`,
    );
  await addHosts();
  let isOver = false;
  const adding = (async () => {
    while (!isOver) await addHosts();
  })();
  const made = await backUp();
  isOver = true;
  await adding;
  const { hosts = '', host_contacts: contacts = '' } = await tablesOf(made.file);
  const idsOf = (text: string) => [...text.matchAll(/^[0-9a-f-]{36}/gm)].map(String).sort();
  expect(idsOf(hosts).length).toBeGreaterThanOrEqual(50);
  expect(idsOf(contacts)).toEqual(idsOf(hosts));
  expect((await stat(made.file)).mode & 0o777).toBe(0o600);
  expect(made.keysMissing).toContain('ssh.sealing_keys');
  expect((await lastRun(database.db))?.lastOkAt).not.toBeNull();
});

it('is refused when a byte differs, the end is missing, or a file is not a backup', async () => {
  const { file } = await backUp();
  const bytes = await readFile(file);
  const check = (changed: Buffer) => checkBackup(Readable.from([changed]));
  await expect(check(bytes)).resolves.toMatchObject({ format: 1 });
  for (const at of [700, Math.floor(bytes.length / 2), bytes.length - 2_000]) {
    const flipped = Buffer.from(bytes);
    flipped[at] = (flipped[at] ?? 0) ^ 1;
    await expect(check(flipped)).rejects.toThrow(/damaged|not a backup/);
  }
  for (const length of [0, 100, 40_000, bytes.length - 5_000])
    await expect(check(bytes.subarray(0, length))).rejects.toThrow(/cut short|has no SHA256SUMS/);
  await expect(check(Buffer.alloc(4096, 'x'))).rejects.toThrow('not a backup');
});

it('leaves no file when it fails, says why, and admins see it', async () => {
  await writeFile(path.join(folder, 'file'), '');
  await expect(backUp({ folder: path.join(folder, 'file') })).rejects.toThrow('No backup can be written to');
  expect((await lastRun(database.db))?.lastError?.message).toContain('No backup can be written to');
  await expect(backUp({ databaseUrl: database.urlOf('scheduler') })).rejects.toThrow(
    'may not read all tables',
  );
  expect(await readdir(folder)).toEqual(['file']);
});

/** An empty database on the server of this test run, until `work` ends. */
async function withEmptyDatabase<T>(work: (url: string, client: pg.Client) => Promise<T>): Promise<T> {
  const name = `restored_${process.pid}_${Date.now()}`;
  const server = new pg.Client({ connectionString: testPostgresUrl() });
  await server.connect();
  await server.query(`CREATE DATABASE ${name}`);
  const url = Object.assign(new URL(testPostgresUrl()), { pathname: `/${name}` }).href;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(url, client);
  } finally {
    await client.end();
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  }
}

async function restore(databaseUrl: string, bytes: Buffer): Promise<{ proof: string; said: string }> {
  const env = {
    PLIMSOLL_CONFIG: '',
    PLIMSOLL_DATA_DIR: path.join(folder, 'new'),
    PLIMSOLL_DATABASE_ROLE_PREFIX: `r${Date.now()}`,
  };
  const config = await readConfig({ env, configPath: null, projectDir: folder });
  const lines: string[] = [];
  const say = (line: string) => void lines.push(line);
  const source = Readable.from([bytes]);
  const order = {
    source,
    databaseUrl,
    databaseHome: null,
    config,
    projectDir: root,
    passwordsDir: null,
    say,
    warn: say,
  };
  return { proof: await restoreBackup(order), said: lines.join('\n') };
}

const tablesIn = `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r'`;

/** A backup with changed files. */
async function repacked(bytes: Buffer, change: (name: string, text: string) => string): Promise<Buffer> {
  const parts: Buffer[] = [];
  for await (const { name, bytes: file } of readTar(Readable.from([bytes]))) {
    const text = change(name, file.toString('latin1'));
    parts.push(tarEntry({ name, bytes: Buffer.from(text, 'latin1') }, new Date()));
  }
  return Buffer.concat([...parts, tarEnd]);
}

it('is made by schedule when the newest is old, and deletes only what is too much, after a good one', async () => {
  const env = { PLIMSOLL_CONFIG: '', PLIMSOLL_BACKUP_KEEP: '2' };
  const config = await readConfig({ env, configPath: null, projectDir: folder });
  const stopping = new AbortController();
  const told: string[] = [];
  const schedule = (databaseUrl: string) => ({
    databaseUrl,
    config,
    settingsFile: null,
    folder,
    stop: stopping.signal,
    warn: (line: string) => void told.push(line),
  });
  const mine = 'my plimsoll-20200101T000000Z.tar';
  // The last one is of a clock that was ahead.
  const old = ['20260101T000000Z', '20260102T000000Z', '29990101T000000Z'].map((at) => `plimsoll-${at}.tar`);
  for (const name of [...old, mine]) await writeFile(path.join(folder, name), '');
  await expect(backUpOnce(schedule(database.urlOf('scheduler')))).rejects.toThrow('may not read');
  expect(await readdir(folder)).toHaveLength(4);
  const running = runBackups(schedule(database.url));
  await waitFor('the rest to be deleted', async () => (await readdir(folder)).length === 3);
  stopping.abort();
  await running;
  expect(told).toEqual([expect.stringContaining('has not all keys')]);
  const left = await readdir(folder);
  expect(left).toEqual(expect.arrayContaining([mine, 'plimsoll-20260102T000000Z.tar']));
  const [made = ''] = left.filter((name) => !old.includes(name) && name !== mine);
  await expect(checkBackup(Readable.from([await readFile(path.join(folder, made))]))).resolves.toBeDefined();
});

it('comes back whole: rows, sequences, functions, and what later migrations need', async () => {
  await database.db.pool.query(`SELECT setval('package_sets_id_seq', 4711)`);
  const key = 'secrets/api.jwt_secret_key';
  await mkdir(path.join(folder, 'data/secrets'), { recursive: true });
  await mkdir(path.join(folder, 'new/secrets'), { recursive: true });
  await writeFile(path.join(folder, 'data', key), 'the key of before');
  await writeFile(path.join(folder, 'new', key), 'another key');
  const { file } = await backUp();
  await withEmptyDatabase(async (url, client) => {
    await expect(restore(url, await readFile(file))).rejects.toThrow('is another one than in the backup');
    expect((await client.query(tablesIn)).rows).toEqual([]);
    await rm(path.join(folder, 'new', key));
    expect(await restore(url, await readFile(file))).toMatchObject({
      proof: 'proved',
      said: expect.stringContaining('The chain is whole'),
    });
    const { rows } = await client.query(`SELECT nextval('package_sets_id_seq')::int AS next`);
    expect(rows).toEqual([{ next: 4712 }]);
    const again = await tablesOf((await backUp({ databaseUrl: url })).file);
    const { schema_state: _state, rounds: _rounds, ...before } = await tablesOf(file);
    expect(again).toMatchObject(before);
    await expect(restore(url, await readFile(file))).rejects.toThrow('is not empty');
  });
  expect(await readFile(path.join(folder, 'new', key), 'utf8')).toBe('the key of before');
  expect((await stat(path.join(folder, 'new', key))).mode & 0o777).toBe(0o600);
});

it('backs up and restores what an older version made, and migrates it on', async () => {
  const schemaDir = path.join(folder, 'prisma');
  await cp(path.join(root, 'prisma'), schemaDir, { recursive: true });
  await rm(path.join(schemaDir, 'sql'), { recursive: true });
  await mkdir(path.join(schemaDir, 'sql'));
  for (const name of await readdir(path.join(schemaDir, 'migrations')))
    if (name > '20261129000100_schema_state')
      await rm(path.join(schemaDir, 'migrations', name), { recursive: true });
  const bytes = await withEmptyDatabase(async (databaseUrl, client) => {
    await applyMigrations({ databaseUrl, schemaDir });
    await client.query(
      `INSERT INTO hosts (id, onboarding_mode, approval_status, display_name, hostname)
       VALUES (gen_random_uuid(), 'agent', 'approved', 'old', 'old.example')`,
    );
    return readFile((await backUp({ databaseUrl })).file);
  });
  await withEmptyDatabase(async (url, client) => {
    expect((await restore(url, bytes)).said).toContain('20261129010000_rounds');
    expect((await client.query('SELECT display_name FROM hosts')).rows).toEqual([{ display_name: 'old' }]);
  });
});

it('leaves an empty database when the backup is damaged, newer, or not what its manifest says', async () => {
  await mkdir(path.join(folder, 'data/secrets'), { recursive: true });
  await writeFile(path.join(folder, 'data/secrets/api.jwt_secret_key'), 'the key of before');
  const bytes = await readFile((await backUp()).file);
  const inManifest = (from: RegExp, to: string) => (name: string, text: string) =>
    name === 'manifest.json' ? text.replace(from, to) : text;
  const flipped = Buffer.from(bytes);
  const at = bytes.indexOf(pieceName('hosts', 1)) + 600;
  flipped[at] = (flipped[at] ?? 0) ^ 1;
  const cases: readonly (readonly [Buffer, RegExp])[] = [
    [flipped, /The backup is damaged/],
    [bytes.subarray(0, bytes.length - 20_000), /cut short|SHA256SUMS/],
    [
      await repacked(bytes, inManifest(/"format":1,"version":"[^"]*"/, '"format":2,"version":"9.0.0"')),
      /with version 9\.0\.0 or newer/,
    ],
    [
      await repacked(bytes, inManifest(/20261129010000_rounds/, '20991129010000_later')),
      /The backup is too new/,
    ],
    [
      await repacked(bytes, inManifest(/"name":"hosts"/, '"name":"pg_authid"')),
      /are not those of its version/,
    ],
    [await repacked(bytes, inManifest(/"created_at":"2/, '"created_at":"1')), /its checksums are not/],
    [
      await repacked(bytes, (name, text) => (name === pieceName('users', 1) ? '' : text)),
      /damaged in its table users/,
    ],
  ];
  await withEmptyDatabase(async (url, client) => {
    for (const [changed, reason] of cases) {
      await expect(restore(url, changed)).rejects.toThrow(reason);
      expect((await client.query(tablesIn)).rows).toEqual([]);
    }
  });
  await expect(readdir(path.join(folder, 'new'))).rejects.toThrow('ENOENT');
});

it('says that no backup was ever made, however often one failed', async () => {
  await database.db.pool.query(`DELETE FROM rounds WHERE name = 'back up'`);
  for (let tries = 0; tries < 2; tries += 1)
    await expect(backUp({ folder: '/proc/nowhere/deep' })).rejects.toThrow(
      'No backup can be written to /proc/nowhere/deep',
    );
  expect(await lastRun(database.db)).toMatchObject({ lastOkAt: null, lastError: { at: expect.any(Date) } });
});
