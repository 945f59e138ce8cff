import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { gunzipSync, gzipSync } from 'node:zlib';
import { readConfig } from '@plimsoll/config';
import { createRoundStore, type Database, migrateDatabase, roleNames } from '@plimsoll/db';
import { databasePerFile, type TarEntry, tarOf, waitFor, withEmptyDatabase, zstdOf } from '@plimsoll/testing';
import { backupBeforeMigration } from '../src/backup/backup-before-migration.ts';
import { pieceName, sumLine, sumsName } from '../src/backup/backup-format.ts';
import { checkBackup, createBackup } from '../src/backup/create-backup.ts';
import { readBackup } from '../src/backup/read-backup.ts';
import { restoreBackup } from '../src/backup/restore-backup.ts';
import { backUpOnce, runBackups } from '../src/backup/run-backups.ts';
import { readTar, tarEnd, tarEntry } from '../src/backup/tar.ts';
import { restoreCommand } from '../src/commands/restore-command.ts';

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
  await readBackup(Readable.from([await readFile(file)]), async (_, parts) => {
    for await (const part of parts) if (part.kind === 'table') texts[part.table.name] = await text(part.rows);
  });
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

it('is refused when a byte differs, the end is missing, or an archive has what no backup has', async () => {
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
    await expect(check(bytes.subarray(0, length))).rejects.toThrow(/truncated|has no SHA256SUMS/);
  await expect(check(Buffer.alloc(4096, 'x'))).rejects.toThrow('not a backup');
  const end = bytes.lastIndexOf('SHA256SUMS\0');
  const hostile: readonly (readonly [number, Partial<TarEntry>, string])[] = [
    [0, { path: 'manifest.json', type: '2' }, '"manifest.json" is of type symlink'],
    [0, { size: '77777777777' }, '"x" has 8589934591 bytes'],
    [0, { path: '../manifest.json' }, 'not a backup'],
    [end, { path: 'keys', type: '5' }, '"keys" is of type directory'],
    [end, { path: '/etc/cron.d/x' }, 'it has a file "/etc/cron.d/x"'],
    [end, { path: 'keys/api.jwt_secret_key' }, 'its checksums are not'],
  ];
  for (const [at, entry, reason] of hostile) {
    const put = tarOf([{ path: 'x', content: '', ...entry }]).subarray(0, -tarEnd.length);
    const changed = Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(at)]);
    await expect(check(changed)).rejects.toThrow(reason);
  }
});

it('leaves no file when it fails, says why, and admins see it', async () => {
  await writeFile(path.join(folder, 'file'), '');
  await database.db.pool.query(`DELETE FROM rounds WHERE name = 'back up'`);
  for (const place of ['/proc/nowhere/deep', path.join(folder, 'file')]) {
    const reason = `No backup can be written to ${place}`;
    await expect(backUp({ folder: place })).rejects.toThrow(reason);
    const lastError = { at: expect.any(Date), message: expect.stringContaining(reason) };
    expect(await lastRun(database.db)).toMatchObject({ lastOkAt: null, lastError });
  }
  await expect(backUp({ databaseUrl: database.urlOf('scheduler') })).rejects.toThrow(
    'may not read all tables',
  );
  expect(await readdir(folder)).toEqual(['file']);
});

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

/** A backup with changed files, and their checksums. */
async function repacked(bytes: Buffer, change: (name: string, text: string) => string): Promise<Buffer> {
  const parts: Buffer[] = [];
  let sums = '';
  for await (const { name, bytes: file } of readTar(Readable.from([bytes]))) {
    const content = name === sumsName ? sums : file.toString('latin1');
    const entry = { name, bytes: Buffer.from(change(name, content), 'latin1') };
    sums += sumLine(entry);
    parts.push(await tarEntry(entry, new Date()));
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

it('before a migration is of its first try, unless apps of the older version may have run again', async () => {
  const config = await readConfig({ env: { PLIMSOLL_CONFIG: '' }, configPath: null, projectDir: folder });
  const source = { databaseUrl: database.url, config, settingsFile: null, folder, say: () => undefined };
  const backup = backupBeforeMigration(source);
  if (typeof backup === 'string') throw new Error(backup);
  const isOfFirstTry = async (from: string) => (await backup.make(from)).endsWith(', of the first try');
  expect([await isOfFirstTry('a'), await isOfFirstTry('a')]).toEqual([false, true]);
  await utimes(path.join(folder, 'before-migrations/first-try.txt'), 0, 0);
  expect([await isOfFirstTry('b'), await isOfFirstTry('a')]).toEqual([true, false]);
  await backup.ended();
  expect(await isOfFirstTry('b')).toBe(false);
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
  const last = '20261129000100_schema_state';
  const bytes = await withEmptyDatabase(async (databaseUrl, client) => {
    const migrating = migrateDatabase({
      databaseUrl,
      schemaDir: path.join(root, 'prisma'),
      roles: roleNames(new URL(databaseUrl).pathname.slice(1)),
      passwords: {},
      alsoMigrate: async () => undefined,
      onStep: ({ migration }) => {
        if (migration === null || migration > last) throw new Error(`ends after ${last}`);
      },
    });
    await expect(migrating).rejects.toThrow(`ends after ${last}`);
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
  const inManifest = (from: RegExp, to: string) =>
    repacked(bytes, (name, content) => (name === 'manifest.json' ? content.replace(from, to) : content));
  const sequence = /("name":"package_sets_id_seq","value":)[^}]*/;
  const wrongSums = repacked(bytes, (name, content) => (name === sumsName ? `-${content}` : content));
  const withoutUsers = repacked(bytes, (name, content) => (name === pieceName('users', 1) ? '' : content));
  const endInside = repacked(bytes, (name, content) => {
    if (name !== pieceName('hosts', 1)) return content;
    const rows = gunzipSync(Buffer.from(content, 'latin1')).toString('latin1');
    return gzipSync(Buffer.from(rows.replace(/^.*$/m, '\\.'), 'latin1')).toString('latin1');
  });
  const cases: readonly (readonly [Promise<Buffer> | Buffer, string])[] = [
    [bytes.subarray(0, bytes.length - 20_000), 'Tar archive is truncated'],
    [
      inManifest(/"format":1,"version":"[^"]*"/, '"format":2,"version":"9.0.0"'),
      'with version 9.0.0 or newer',
    ],
    [inManifest(/20261129010000_rounds/, '20991129010000_later'), 'The backup is too new'],
    [inManifest(/"name":"hosts"/, '"name":"pg_authid"'), 'are not those of its version'],
    [inManifest(/"name":"hosts"/, '"name":"hosts; DROP TABLE users"'), 'manifest of the backup is damaged'],
    [inManifest(/("name":"users",.*?"rows":)\d+/, '$17'), 'its table users has not the 7 rows'],
    [inManifest(sequence, '$1"9223372036854775808"'), 'sequences of the backup cannot be set'],
    [inManifest(sequence, '$1"0"'), 'sequences of the backup cannot be set'],
    [inManifest(sequence, '$1"-1"'), 'manifest of the backup is damaged'],
    [inManifest(/package_sets_id_seq/, 'other_seq'), 'sequences of the backup are not those'],
    [wrongSums, 'its checksums are not'],
    [withoutUsers, 'damaged in its table users'],
    [endInside, 'hosts of the backup has other rows than its manifest says'],
  ];
  await withEmptyDatabase(async (url, client) => {
    for (const [changed, reason] of cases) {
      await expect(restore(url, await changed)).rejects.toThrow(reason);
      expect((await client.query(tablesIn)).rows).toEqual([]);
    }
  });
  await expect(readdir(path.join(folder, 'new'))).rejects.toThrow('ENOENT');
});

it.each([
  ['gzip', gzipSync('x'), 'is compressed by gzip: run "gunzip -c FILE | plimsoll restore -".'],
  ['zstd', zstdOf('x'), 'is compressed by zstd: run "zstd -dc FILE | plimsoll restore -".'],
  ['age', 'age-encryption.org/v1', 'is encrypted by age: run "age -d -i KEY FILE | plimsoll restore -".'],
  ['text of age', '-----BEGIN AGE ENCRYPTED', 'is encrypted by age: run "age -d -i KEY FILE | '],
  ['a folder', null, 'is a folder: name one of its files.'],
  ['a used data folder', 'backup', 'is used: it has backup. Stop what uses it, move it away, then restore.'],
])('a restore says what to do about %s', async (_, content, reason) => {
  const file = path.join(folder, 'backup');
  await (content === null ? mkdir(file) : writeFile(file, content));
  const env = { PLIMSOLL_CONFIG: '', PLIMSOLL_DATA_DIR: folder };
  const context = { env, projectDir: root, say: () => undefined, warn: () => undefined };
  await expect(restoreCommand(context).parseAsync([file], { from: 'user' })).rejects.toThrow(
    reason.replace('FILE', file),
  );
});
