import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createKeyRing, readSealingPublicKey } from '@plimsoll/secrets';
import { folderPerFile } from '@plimsoll/testing';
import { secretsCommand } from '../src/commands/secrets-command.ts';
import { announceServer } from '../src/service/running-database.ts';
import { outputOf } from './output-of.ts';
import { sealedDatabasePerFile } from './sealed-database.ts';

const folder = folderPerFile();
let dataDir = '';
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(folder, 'data-'));
});

/** All output of `plimsoll secrets …`. */
const run = (args: readonly string[], settings: Record<string, string> = {}) =>
  outputOf(secretsCommand, args, { PLIMSOLL_DATA_DIR: dataDir, ...settings });

const keysFile = (): string => path.join(dataDir, 'secrets', 'ssh.sealing_keys');
const publicKeyFile = (): string => path.join(dataDir, 'secrets', 'ssh.sealing_public_key');

async function privateText(): Promise<string> {
  const [, text = ''] = /^x25519-private (\S+)$/m.exec(await readFile(keysFile(), 'utf8')) ?? [];
  return text;
}

describe('create', () => {
  it("makes both files in the service's place, once, and never prints the private key", async () => {
    const first = await run(['create']);
    const { keyId } = await readSealingPublicKey(publicKeyFile());
    expect(first).toBe(
      [
        `Made ${keysFile()}, the private keys: for the ssh-worker alone.`,
        `Made ${publicKeyFile()}, the public key: for the API.`,
        `Private SSH keys are sealed to key ${keyId}.`,
      ].join('\n'),
    );
    expect(first).not.toContain(await privateText());
    expect(await privateText()).toHaveLength(43);
    expect(await run(['create'])).toBe(`Private SSH keys are sealed to key ${keyId}.`);
  });

  it('makes them in the configured place', async () => {
    const settings = {
      PLIMSOLL_SSH_SEALING_KEYS_FILE: path.join(dataDir, 'a', 'keys'),
      PLIMSOLL_SSH_SEALING_PUBLIC_KEY_FILE: path.join(dataDir, 'b', 'key'),
    };
    await run(['create'], settings);
    expect((await stat(settings.PLIMSOLL_SSH_SEALING_KEYS_FILE)).mode & 0o777).toBe(0o600);
    expect((await stat(settings.PLIMSOLL_SSH_SEALING_PUBLIC_KEY_FILE)).mode & 0o777).toBe(0o644);
  });

  it('explains what is wrong, without any part of a key', async () => {
    await run(['create']);
    const text = await privateText();
    await writeFile(publicKeyFile(), `x25519-private ${text}\n`);
    const said = await run(['create']);
    expect(said).toMatch(/^failed: Line 1 of \S+ is a private key[^\n]*$/);
    expect(said).not.toContain(text);
  });
});

describe('rotate', () => {
  const database = sealedDatabasePerFile();
  afterEach(() => database.clear());

  it('finds database and keys of the service running on the data folder', async () => {
    await run(['create']);
    const old = await readSealingPublicKey(publicKeyFile());
    const { id, seed } = await database.addHost(old);
    expect(await run(['rotate', '--keep-old'])).toMatch(/^failed: No service runs on/);

    await announceServer(dataDir, 'database', database.url);
    const said = await run(['rotate', '--keep-old']);
    const { keyId } = await readSealingPublicKey(publicKeyFile());
    expect(said.split('\n').slice(0, 2)).toEqual([
      `Private SSH keys are sealed to key ${keyId}: 1 sealed anew.`,
      `Old keys dropped: none; kept: ${old.keyId}.`,
    ]);
    const { rows } = await database.db.pool.query<{ sealed: Buffer }>('SELECT sealed FROM ssh_key_pairs');
    expect(await createKeyRing(keysFile()).open(rows[0]?.sealed ?? Buffer.alloc(0), id)).toEqual(seed);
  });

  it('only prepares with --prepare', async () => {
    await run(['create']);
    const before = await readFile(publicKeyFile());
    const settings = { PLIMSOLL_DATABASE_URL: database.url };
    expect(await run(['rotate', '--prepare'], settings)).toMatch(/^Added key [0-9a-f]{16} in /);
    expect(await run(['rotate', '--prepare'], settings)).toMatch(/^There is already key [0-9a-f]{16} in /);
    expect(await readFile(publicKeyFile())).toEqual(before);
  });

  it('fails if a key pair cannot be decrypted, and names it', async () => {
    await run(['create']);
    const { id } = await database.addHost(await readSealingPublicKey(publicKeyFile()));
    await database.db.pool.query(
      'UPDATE ssh_key_pairs SET sealed = set_byte(sealed, 60, get_byte(sealed, 60) # 1)',
    );
    const said = await run(['rotate', '--keep-old'], { PLIMSOLL_DATABASE_URL: database.url });
    expect(said).toContain(`SSH key pair ${id}: The sealed box was changed`);
    expect(said).toContain('failed: Of the SSH key pairs 1 could not be opened');
  });

  it('asks the user to make the files first', async () => {
    const said = await run(['rotate'], { PLIMSOLL_DATABASE_URL: database.url });
    expect(said).toBe(`failed: ${keysFile()} does not exist: "plimsoll secrets create" makes it.`);
  });

  it('refuses two steps at once', async () => {
    expect(await run(['rotate', '--prepare', '--keep-old'])).toMatch(/^failed: .*choose one\.$/);
  });
});
