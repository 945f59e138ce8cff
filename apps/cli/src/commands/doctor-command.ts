import { readConfigInput } from '@plimsoll/config';
import type { Check } from '@plimsoll/model';
import { Command } from 'commander';
import { examine } from '../doctor/examine.ts';
import { type CommandContext, type ConfigFlags, configOption } from './command-context.ts';

/** `plimsoll doctor`: what is wrong with the installation, and what to do. Exit code 1: with a fault. */
export function doctorCommand({ env, projectDir, say }: CommandContext): Command {
  return new Command('doctor')
    .description('check the installation, running or stopped: a line for each check, with what to do')
    .option('--json', 'print an array of { name, state, says, do }')
    .addOption(configOption())
    .action(async (flags: ConfigFlags & { readonly json?: boolean }) => {
      const checks = await examine({
        readInput: () => readConfigInput({ env, configPath: flags.config ?? null, projectDir }),
        env,
        projectDir,
      });
      if (flags.json === true) say(JSON.stringify(checks, null, 2));
      else for (const check of checks) for (const line of lines(check)) say(line);
      if (checks.some(({ state }) => state === 'fault')) process.exitCode = 1;
    });
}

function lines({ name, state, says, do: remedy }: Check): readonly string[] {
  return [`${state.padEnd(7)}  ${name}: ${says}`, ...(remedy === null ? [] : [`         → ${remedy}`])];
}
