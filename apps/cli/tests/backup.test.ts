import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { readConfig } from '@plimsoll/config';
import { createRoundStore, type Database } from '@plimsoll/db';
import { databasePerFile } from '@plimsoll/testing';
import { checkBackup, createBackup } from '../src/backup/create-backup.ts';
import { readBackup } from '../src/backup/read-backup.ts';

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

it('is refused when a byte differs, the end is missing, or a file is no backup', async () => {
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
