import path from 'node:path';
import { readConfig } from '@plimsoll/config';
import { applyMigrations } from '@plimsoll/db';
import { Command } from 'commander';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** `plimsoll migrate`: brings the configured database up to date; any number of processes may do it at once. */
export function migrateCommand({ env, projectDir, say }: CommandContext): Command {
  return new Command('migrate')
    .description('bring the database of database.url up to date')
    .addOption(configOption())
    .action(async (flags: ConfigFlags) => {
      const configPath = flags.config ?? null;
      const config = await readConfig({ env, configPath, projectDir, required: ['database.url'] });
      const names = await applyMigrations({
        databaseUrl: config['database.url'],
        migrationsDir: path.join(projectDir, 'prisma', 'migrations'),
      });
      for (const name of names) say(`applied ${name}`);
      say(names.length === 0 ? 'The database is up to date.' : 'The database is up to date now.');
    });
}
