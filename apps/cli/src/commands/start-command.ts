import path from 'node:path';
import { readConfig, readConfigInput } from '@plimsoll/config';
import { Command, Option } from 'commander';
import { backupBeforeMigration } from '../backup/backup-before-migration.ts';
import { runBackups } from '../backup/run-backups.ts';
import { appSpecs } from '../service/app-specs.ts';
import { migrateService } from '../service/migrate-service.ts';
import { runService } from '../service/run-service.ts';
import { watchInterrupts } from '../service/watch-interrupts.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** `plimsoll start`: runs the whole service until Ctrl-C. */
export function startCommand({ env, projectDir, say, warn }: CommandContext): Command {
  return new Command('start')
    .description('run the whole service, with a private database if none is configured')
    .addOption(configOption())
    .addOption(
      new Option('--watch', 'restart an app when its bundle changes, with debuggers from port 9229 on'),
    )
    .action(async (flags: ConfigFlags & { readonly watch?: boolean }) => {
      const configPath = flags.config ?? null;
      const interrupts = watchInterrupts();
      const place = { env, configPath, projectDir };
      const config = await readConfig(place);
      const settingsFile = (await readConfigInput(place)).fileName;
      await runService({
        config,
        env,
        projectDir,
        apps: appSpecs(projectDir),
        migrate: (databaseUrl, dataDir, databaseHome) =>
          migrateService(
            {
              databaseUrl,
              databaseHome,
              backup: backupBeforeMigration({
                databaseUrl,
                config,
                settingsFile,
                folder: path.join(dataDir, 'backups'),
                say,
              }),
              config,
              projectDir,
              say,
              warn,
              stop: interrupts.stop,
            },
            dataDir,
          ),
        backUp: (backing) => runBackups({ ...backing, settingsFile, warn }),
        watch: flags.watch === true,
        interrupts,
        say,
        warn,
      });
    });
}
