import type { Command } from 'commander';
import type { CommandContext } from '../src/commands/command-context.ts';
import { explain } from '../src/explain.ts';

/** All that a command prints, also the sentence of its error, with the given settings as environment variables. */
export async function outputOf(
  command: (context: CommandContext) => Command,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  more: Partial<CommandContext> = {},
): Promise<string> {
  const lines: string[] = [];
  const say = (line: string): void => void lines.push(line);
  const context = { env: { PLIMSOLL_CONFIG: '', ...env }, projectDir: __dirname, say, warn: say, ...more };
  try {
    await command(context).exitOverride().parseAsync(args, { from: 'user' });
  } catch (error) {
    say(`failed: ${explain(error)}`);
  }
  return lines.join('\n');
}
