import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { readConfig } from '@plimsoll/config';
import { startPostgres } from '@plimsoll/embedded';
import { systemErrorCode } from '@plimsoll/model';
import { Command } from 'commander';
import { openBackup } from '../backup/open-backup.ts';
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
      const source = await openBackup(file, 'plimsoll restore');
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
        await requireNew(config.data_dir);
        const { dataDir, openNamedLog } = await openDataFolder(config.data_dir, stack, warn);
        const server = await startPostgres({ dataDir, onLog: openNamedLog('postgres').write });
        stack.add(server.stop);
        const passwordsDir = configured ?? path.join(dataDir, 'secrets', 'database');
        return { databaseUrl: server.url, databaseHome: server.home, passwordsDir };
      }
    });
}

/** What a restore makes in a data folder: one that failed is repeated. */
const ofRestore = /^(postgres|postgres\.location|logs|secrets|lock\..*)$/;

/** Throws StartError if a data folder has files that no restore made. */
async function requireNew(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch((error: unknown) => {
    if (systemErrorCode(error) === 'ENOENT') return [];
    throw error;
  });
  const others = names.filter((name) => !ofRestore.test(name));
  if (others.length > 0)
    throw new StartError(
      `${dataDir} is used: it has ${others.slice(0, 3).join(', ')}. Stop what uses it, move it away, then restore.`,
    );
}
