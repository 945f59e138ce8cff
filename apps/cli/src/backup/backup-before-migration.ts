import path from 'node:path';
import type { Config } from '@plimsoll/config';
import type { MigrationPreparation } from '../service/before-migration.ts';
import { backUpOnce } from './run-backups.ts';

/**
 * Makes the backup before a migration, as settings say, in a folder of its own: a migration that fails at every start
 * must not push out the backups by schedule. `folder` is used if `backup.dir` is unset; null: then none is made.
 */
export function backupBeforeMigration(source: {
  readonly databaseUrl: string;
  readonly config: Config;
  readonly settingsFile: string | null;
  readonly folder: string | null;
  readonly say: (line: string) => void;
}): MigrationPreparation['backup'] {
  const { config } = source;
  const folder = config['backup.dir'] ?? source.folder;
  if (!config['backup.before_migrations']) return 'backup.before_migrations is false.';
  if (folder === null) return 'backup.dir is not set.';
  return () => backUpOnce({ ...source, folder: path.join(folder, 'before-migrations') });
}
