import { readConfig } from '@plimsoll/config';
import { serviceApps } from '@plimsoll/model';
import { redisUserOf } from '@plimsoll/queue';
import { Command } from 'commander';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** `plimsoll redis-users`: prints the commands that make a user for each app on the operator's own Redis. */
export function redisUsersCommand({ env, projectDir, say }: CommandContext): Command {
  return new Command('redis-users')
    .description('print the commands that give each app a user of Redis, for queue.prefix')
    .addOption(configOption())
    .action(async (flags: ConfigFlags) => {
      const config = await readConfig({ env, configPath: flags.config ?? null, projectDir });
      for (const line of redisUserCommands(config['queue.prefix'])) say(line);
    });
}

/**
 * One `ACL SETUSER` for each app, for redis-cli, with PASSWORD as a placeholder. It first removes the user's rights, so
 * that running it after an update leaves no old ones.
 */
export function redisUserCommands(prefix: string): readonly string[] {
  return serviceApps.map((app) => {
    const { name, rules } = redisUserOf(app, prefix);
    return `ACL SETUSER ${name} reset on >PASSWORD ${rules}`;
  });
}
