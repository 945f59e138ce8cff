import { createReadStream } from 'node:fs';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { readConfig } from '@plimsoll/config';
import { startPostgres } from '@plimsoll/embedded';
import { systemErrorCode } from '@plimsoll/model';
import { Command } from 'commander';
import { restoreBackup } from '../backup/restore-backup.ts';
import { cleanupStack } from '../service/cleanup-stack.ts';
import { openDataFolder } from '../service/open-data-folder.ts';
import { StartError } from '../service/start-error.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

const words = {
  proved: 'Restored, and proved.',
  unproved: 'Restored; counts are not proved yet.',
  differs: 'Restored, with the differences above.',
} as const;

/** `plimsoll restore`: a backup into an empty installation; exit code 1 if its proof finds a difference. */
export function restoreCommand({ env, projectDir, say, warn }: CommandContext): Command {
  return new Command('restore')
    .description('restore a backup into an empty database of database.url, or into a new data folder')
    .argument('<file>', 'the backup; -: standard input')
    .addOption(configOption())
    .action(async (file: string, flags: ConfigFlags) => {
      const config = await readConfig({ env, configPath: flags.config ?? null, projectDir });
      if (file !== '-')
        await access(file, constants.R_OK).catch((cause: unknown) => {
          throw new StartError(`${file} cannot be read: ${systemErrorCode(cause) ?? String(cause)}.`, {
            cause,
          });
        });
      const source = file === '-' ? process.stdin : createReadStream(file, { highWaterMark: 2 ** 20 });
      const order = { source, config, projectDir, say, warn };
      const cleanup = cleanupStack();
      try {
        const proof = await restoreBackup({ ...order, ...(await database(cleanup)) });
        say(words[proof]);
        if (proof === 'differs') process.exitCode = 1;
      } finally {
        for (const failure of await cleanup.run()) warn(`Stopping: ${String(failure)}`);
      }

      async function database(stack: typeof cleanup) {
        const configured = config['database.role_passwords_dir'];
        const given = config['database.url'];
        if (given !== null) return { databaseUrl: given, databaseHome: null, passwordsDir: configured };
        const { dataDir, openNamedLog } = await openDataFolder(config.data_dir, stack, warn);
        const server = await startPostgres({ dataDir, onLog: openNamedLog('postgres').write });
        stack.add(server.stop);
        const passwordsDir = configured ?? path.join(dataDir, 'secrets', 'database');
        return { databaseUrl: server.url, databaseHome: server.home, passwordsDir };
      }
    });
}
