import { readConfig, readConfigInput } from '@plimsoll/config';
import { type MigrationReport, roleNames, roleScript } from '@plimsoll/db';
import { Command } from 'commander';
import { backupBeforeMigration } from '../backup/backup-before-migration.ts';
import { migrateAll } from '../service/migrate-service.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** `plimsoll migrate`: brings the configured database and its roles up to date; concurrent runs are safe. */
export function migrateCommand({ env, projectDir, say, warn }: CommandContext): Command {
  return new Command('migrate')
    .description('bring the database of database.url and the roles of the apps up to date')
    .addOption(configOption())
    .action(async (flags: ConfigFlags) => {
      const configPath = flags.config ?? null;
      const place = { env, configPath, projectDir, required: ['database.url'] as const };
      const config = await readConfig(place);
      const databaseUrl = config['database.url'];
      const settingsFile = (await readConfigInput(place)).fileName;
      const passwordsDir = config['database.role_passwords_dir'];
      const report = await migrateAll({
        databaseUrl,
        databaseHome: null,
        backup: backupBeforeMigration({ databaseUrl, config, settingsFile, folder: null, say }),
        config,
        projectDir,
        passwordsDir,
        say,
        warn,
      });
      say('The database is up to date.');
      const lines = roleLines(report, config['database.role_prefix'], passwordsDir);
      for (const line of lines) (report.roles === 'missing' ? warn : say)(line);
    });
}

/** What the user must know or do about the apps' roles. Contains no password. */
function roleLines(
  { roles, user }: MigrationReport,
  prefix: string,
  passwordsDir: string | null,
): readonly string[] {
  const names = roleNames(prefix);
  switch (roles) {
    case 'made':
      return [
        `Each app has a role of its own: ${Object.values(names.apps).join(', ')}.`,
        passwordsDir === null
          ? 'Their passwords are as they were: set them with \\password in psql, or let this command do it (database.role_passwords_dir).'
          : `Their passwords are those in ${passwordsDir}.`,
      ];
    case 'found':
      return [
        `Each app has a role of its own, with its rights; ${user} may not change passwords: set them with \\password in psql.`,
      ];
    case 'missing':
      return [
        `${user} may not make roles, so all apps work as ${user}: an attacker with the database URL of one app can change everything.`,
        'To give each app its own role, run this as a user who may, then run "plimsoll migrate" again:',
        ...roleScript(names, user).map((line) => `  ${line}`),
      ];
    default:
      return roles satisfies never;
  }
}
