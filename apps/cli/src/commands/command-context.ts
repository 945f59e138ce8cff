import { Option } from 'commander';

/** What every command uses. */
export interface CommandContext {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Absolute path of the folder that holds apps, packages and prisma. */
  readonly projectDir: string;
  /** Prints a line for the user. */
  readonly say: (line: string) => void;
  /** Prints a warning. */
  readonly warn: (line: string) => void;
  /** Source of passwords; default: the process's standard input. */
  readonly input?: NodeJS.ReadableStream & { readonly isTTY?: boolean };
}

/** The form in which commander returns `configOption`. */
export interface ConfigFlags {
  readonly config?: string;
}

/** `--config FILE`, for every command that needs the configuration. */
export function configOption(): Option {
  return new Option('--config <file>', 'the configuration file (plimsoll.yaml in the project folder)');
}
