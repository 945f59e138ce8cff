import { Option } from 'commander';

/** What every command works with. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder that holds apps, packages and prisma. */
  readonly projectDir: string;
  /** Says a line to the person at the terminal. */
  readonly say: (line: string) => void;
  /** Says something that is wrong. */
  readonly warn: (line: string) => void;
  /** Where passwords are read from; the process's standard input where it is left out. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

/** What commander makes of `configOption`. */
export interface ConfigFlags {
  readonly config?: string;
}

/** `--config FILE`, which every command that needs the configuration takes. */
export function configOption(): Option {
  return new Option('--config <file>', 'the configuration file (plimsoll.yaml in the project folder)');
}
