import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { productVersion } from '@plimsoll/model';
import { Command } from 'commander';
import { backupCommand } from './commands/backup-command.ts';
import { configCommand } from './commands/config-command.ts';
import { doctorCommand } from './commands/doctor-command.ts';
import { explainCommand } from './commands/explain-command.ts';
import { feedCommand } from './commands/feed-command.ts';
import { installCommand } from './commands/install-command.ts';
import { loadtestCommand } from './commands/loadtest-command.ts';
import { migrateCommand } from './commands/migrate-command.ts';
import { redisUsersCommand } from './commands/redis-users-command.ts';
import { restoreCommand } from './commands/restore-command.ts';
import { secretsCommand } from './commands/secrets-command.ts';
import { startCommand } from './commands/start-command.ts';
import { uploadCommand } from './commands/upload-command.ts';
import { userCommand } from './commands/user-command.ts';
import { verifyAuditCommand } from './commands/verify-audit-command.ts';
import { verifyCommand } from './commands/verify-command.ts';
import { verifyEvidenceCommand } from './commands/verify-evidence-command.ts';
import { explain } from './explain.ts';

/** The folder of this bundle too, apps/cli/dist, is three levels below the project. */
const projectDir = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');
const context = {
  env: process.env,
  projectDir,
  say: (line: string): void => void process.stdout.write(`${line}\n`),
  warn: (line: string): void => void process.stderr.write(`${line}\n`),
};

const program = new Command('plimsoll')
  .version(productVersion)
  .description('Knows the patch state of every Linux server a team runs.')
  .addCommand(startCommand(context))
  .addCommand(migrateCommand(context))
  .addCommand(backupCommand(context))
  .addCommand(restoreCommand(context))
  .addCommand(doctorCommand(context))
  .addCommand(installCommand(context))
  .addCommand(redisUsersCommand(context))
  .addCommand(feedCommand(context))
  .addCommand(explainCommand(context))
  .addCommand(uploadCommand(context))
  .addCommand(userCommand(context))
  .addCommand(secretsCommand(context))
  .addCommand(configCommand(context))
  .addCommand(loadtestCommand(context))
  .addCommand(verifyCommand(context))
  .addCommand(verifyAuditCommand(context))
  .addCommand(verifyEvidenceCommand(context));

try {
  await program.parseAsync(process.argv);
  process.exit(process.exitCode ?? 0);
} catch (error) {
  context.warn(explain(error));
  process.exit(1);
}
