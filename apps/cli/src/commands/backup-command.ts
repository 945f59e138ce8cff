import path from 'node:path';
import { readConfig, readConfigInput } from '@plimsoll/config';
import { Argument, Command } from 'commander';
import { checkBackup, createBackup, streamBackup } from '../backup/create-backup.ts';
import { openBackup } from '../backup/open-backup.ts';
import { runBackups } from '../backup/run-backups.ts';
import { megabytesOf, type Written } from '../backup/write-backup.ts';
import { findOwnerUrl } from '../service/running-database.ts';
import { StartError } from '../service/start-error.ts';
import { watchInterrupts } from '../service/watch-interrupts.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

interface BackupFlags extends ConfigFlags {
  readonly withoutKeys?: boolean;
  readonly check?: boolean;
  readonly scheduled?: boolean;
}

/** `plimsoll backup`: one file with the database and the keys, while the service runs. */
export function backupCommand({ env, projectDir, say, warn }: CommandContext): Command {
  return new Command('backup')
    .description('back up the database, the keys and the settings to one file, while the service runs')
    .addArgument(new Argument('[folder]', 'the folder of the file (backup.dir); -: standard output'))
    .option('--without-keys', 'leave out the keys: what they seal cannot be opened after a restore')
    .option('--check', 'write nothing: read the given file (-: standard input), and say whether it is whole')
    .option('--scheduled', 'run on, and back up to backup.dir every backup.every_hours')
    .addOption(configOption())
    .action(async (named: string | undefined, flags: BackupFlags) => {
      if (flags.check === true) return check(named, say);
      const place = { env, configPath: flags.config ?? null, projectDir };
      const config = await readConfig(place);
      const target = named ?? config['backup.dir'];
      if (target === null) throw new StartError('Name a folder (backup.dir), or - for standard output.');
      if (target === '-' && process.stdout.isTTY)
        throw new StartError('A terminal cannot show a backup: send it to a file or a program.');
      const source = {
        databaseUrl: await findOwnerUrl(config),
        config,
        settingsFile: (await readConfigInput(place)).fileName,
        withKeys: flags.withoutKeys !== true,
        say: warn,
      };
      if (flags.scheduled === true) {
        const { stop } = watchInterrupts();
        const withKeys = source.withKeys && config['backup.keys'];
        return runBackups({ ...source, withKeys, folder: path.resolve(target), stop, warn });
      }
      const made =
        target === '-'
          ? await streamBackup(source, process.stdout)
          : await createBackup({ ...source, folder: path.resolve(target) });
      // Standard output may be for the backup alone.
      for (const line of summary(made)) (target === '-' ? warn : say)(line);
      if ('file' in made) say(String(made.file));
    });
}

function summary({ tables, rows, bytes, keysMissing }: Written): readonly string[] {
  return [
    `Backed up ${tables} tables with ${rows} rows: ${megabytesOf(bytes)}.`,
    keysMissing === null ? 'It has all keys.' : `It does not have all keys. ${keysMissing}`,
    'Keep it where only you can read it.',
  ];
}

async function check(file: string | undefined, say: (line: string) => void): Promise<void> {
  if (file === undefined) throw new StartError('Name the file to check, or - for standard input.');
  const source = await openBackup(file, 'plimsoll backup --check');
  const { created_at, version, tables } = await checkBackup(source);
  say(`The backup of ${created_at} is whole: version ${version}, ${tables.length} tables.`);
}
