import { access, readFile, rm, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { MigrationPreparation } from '../service/before-migration.ts';
import { createBackup } from './create-backup.ts';
import { deleteOldBackups } from './run-backups.ts';
import type { BackupSource } from './write-backup.ts';

const noteOfTry = 'first-try.txt';
/** A start that fails again and again would fill the disk. */
const sharedMs = 3_600_000;

/**
 * Makes the backup before a migration, as settings say, in a folder of its own. Further tries of the same migration keep
 * that of the first one: for an hour, since apps of the older version may run again, and for good once a step is done.
 * `folder` is used if `backup.dir` is unset; null: then none is made.
 */
export function backupBeforeMigration(
  source: Omit<BackupSource, 'withKeys'> & { readonly folder: string | null },
): MigrationPreparation['backup'] {
  const { config } = source;
  const place = config['backup.dir'] ?? source.folder;
  if (!config['backup.before_migrations']) return 'backup.before_migrations is false.';
  if (place === null) return 'backup.dir is not set.';
  const folder = path.join(place, 'before-migrations');
  const note = path.join(folder, noteOfTry);
  const make = async (from: string): Promise<string> => {
    const first = await firstTry(note, from);
    if (first !== null) return `${first}, of the first try`;
    const { file } = await createBackup({
      ...source,
      folder,
      withKeys: config['backup.keys'],
      isNoted: false,
    });
    await writeFile(note, `${from}\n${file}`, { mode: 0o600 });
    await deleteOldBackups(folder, config['backup.keep'], file);
    return file;
  };
  return { make, ended: () => rm(note, { force: true }) };
}

/** The backup of the first try of a migration that has not ended; null: none, or it may lack what apps did since. */
async function firstTry(note: string, from: string): Promise<string | null> {
  try {
    const [begun, file = ''] = (await readFile(note, 'utf8')).split('\n');
    await access(file);
    return begun !== from || Date.now() - (await stat(note)).mtimeMs < sharedMs ? file : null;
  } catch {
    return null;
  }
}
