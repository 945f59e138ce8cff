import { configReport, readConfigInput } from '@plimsoll/config';
import { Command } from 'commander';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** `plimsoll config check`: prints the effective configuration, or all its errors. */
export function configCommand({ env, projectDir, say }: CommandContext): Command {
  const check = new Command('check')
    .description('show every setting and its source, or every mistake; secrets are not shown')
    .addOption(configOption())
    .action(async (flags: ConfigFlags) => {
      const lines = configReport(
        await readConfigInput({ env, configPath: flags.config ?? null, projectDir }),
      );
      const width = Math.max(...lines.map(({ key }) => key.length));
      for (const { key, value, source } of lines) say(`${key.padEnd(width)}  ${value}  (${source})`);
    });
  return new Command('config').description('look at the configuration').addCommand(check);
}
