import { mkdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '@plimsoll/config';
import {
  BackupError,
  type LoadTable,
  loadBackup,
  openDatabase,
  SchemaError,
  verifyAudit,
} from '@plimsoll/db';
import { systemErrorCode } from '@plimsoll/model';
import { createFile } from '@plimsoll/secrets';
import { linesOf } from '../commands/verify-audit-command.ts';
import { verify } from '../commands/verify-command.ts';
import { explain } from '../explain.ts';
import { type MigrationTarget, migrateAll } from '../service/migrate-service.ts';
import { StartError } from '../service/start-error.ts';
import { keyNames, type Manifest, settingsName } from './backup-format.ts';
import { keyPlaces } from './key-places.ts';
import { readBackup } from './read-backup.ts';

/** `unproved`: nothing was found wrong, but hosts wait to be counted, so that counts cannot be compared yet. */
export type Proof = 'proved' | 'unproved' | 'differs';

/** From so many rows on, a table takes seconds. */
const largeTable = 100_000;

/** What to restore, and where. */
export interface RestoreOrder extends Omit<MigrationTarget, 'backup' | 'stop'> {
  readonly source: AsyncIterable<Buffer>;
}

/**
 * Restores a backup into an empty database and puts its keys where the settings say, all or nothing; then migrates the
 * database to this version and proves it. An existing key file with other text is not replaced: it refuses the restore.
 * Throws StartError.
 */
export async function restoreBackup(order: RestoreOrder): Promise<Proof> {
  const { databaseUrl, say } = order;
  const manifest = await load(order);
  say(
    `Loaded the backup of ${manifest.created_at}: ${manifest.tables.length} tables, each with the rows of its manifest.`,
  );
  try {
    await migrateAll({ ...order, backup: 'the restored file is one.' });
  } catch (error) {
    throw new StartError(
      `The backup is loaded, but not migrated: ${explain(error)} When that is mended, run "plimsoll migrate" or start the service, then "plimsoll verify" and "plimsoll verify-audit".`,
      { cause: error },
    );
  }
  return prove(databaseUrl, say);
}

async function load({ source, databaseUrl, config, projectDir, say, warn }: RestoreOrder): Promise<Manifest> {
  const made: string[] = [];
  try {
    return await readBackup(source, async (manifest, parts) => {
      const files = new Map<string, Buffer>();
      const loadAll = async (loadTable: LoadTable) => {
        for await (const part of parts) {
          if (part.kind === 'file') files.set(part.name, part.bytes);
          else {
            const { name, rows } = part.table;
            if (rows >= largeTable) say(`Loading ${rows} rows of ${name}`);
            await loadTable(name, part.rows);
          }
        }
      };
      const putAllKeys = () => putKeys(files, config, made, warn);
      const schemaDir = path.join(projectDir, 'prisma');
      await loadBackup({ databaseUrl, schemaDir, contents: manifest }, loadAll, putAllKeys);
      if (manifest.keys_missing !== null) warn(`The backup has not all keys. ${manifest.keys_missing}`);
      if (files.has(settingsName))
        say(`Its settings are in its file ${settingsName}; they were not put anywhere.`);
      return manifest;
    });
  } catch (error) {
    for (const file of made) await rm(file, { force: true });
    if (error instanceof BackupError || error instanceof SchemaError)
      throw new StartError(error.message, { cause: error });
    throw error;
  }
}

/** Puts all keys, and adds to `made` the files that it makes. */
async function putKeys(
  files: ReadonlyMap<string, Buffer>,
  config: Config,
  made: string[],
  warn: (line: string) => void,
): Promise<void> {
  const places = keyPlaces(config);
  const missing: { readonly file: string; readonly bytes: Buffer }[] = [];
  for (const name of keyNames) {
    const bytes = files.get(name);
    if (bytes === undefined) continue;
    const given = name === 'keys/api.jwt_secret_key' ? config['api.jwt_secret_key'] : null;
    if (given !== null) {
      if (given !== bytes.toString())
        warn(
          `api.jwt_secret_key is another one than in the backup: all users sign in again, and set up their authenticator apps again, unless you set it to the text of ${name} in the backup.`,
        );
      continue;
    }
    const file = places[name];
    const there = await readFile(file).catch((error: unknown) => {
      if (systemErrorCode(error) === 'ENOENT') return null;
      throw error;
    });
    if (there === null) missing.push({ file, bytes });
    else if (!bytes.equals(there))
      throw new StartError(
        `${file} exists and is another one than in the backup: move it away first. Nothing was restored.`,
      );
  }
  for (const { file, bytes } of missing) {
    await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
    if (!(await createFile(file, bytes, 0o600)))
      throw new StartError(`${file} was made by another program meanwhile. Nothing was restored.`);
    made.push(file);
  }
}

/** Nothing counts hosts during a restore. */
const busy = new Error('hosts wait to be counted');

async function prove(databaseUrl: string, say: (line: string) => void): Promise<Proof> {
  const db = openDatabase({
    databaseUrl,
    poolSize: 1,
    applicationName: 'plimsoll restore',
    // The next statement reports a lost connection.
    onIdleError: () => undefined,
  });
  let isWhole = false;
  try {
    const audit = await verifyAudit(db, []);
    for (const line of linesOf(audit)) say(line);
    isWhole = audit.broken === null;
    const { differences } = await verify(db, { onBusy: () => Promise.reject(busy) }, say);
    return audit.broken === null && differences === 0 ? 'proved' : 'differs';
  } catch (error) {
    if (error !== busy) throw error;
    say('Hosts wait to be counted anew: run "plimsoll verify" when the service has run for a while.');
    return isWhole ? 'unproved' : 'differs';
  } finally {
    await db.close();
  }
}
