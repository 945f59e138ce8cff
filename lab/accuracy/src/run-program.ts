import process from 'node:process';
import { InputError } from './input-error.ts';

/** A program: its arguments and the project's folder in, its exit code out. */
export type Program = (args: readonly string[], root: string) => Promise<number>;

/**
 * Runs a program of this tool and sets the exit code: the program's own; 64 with the usage for arguments or
 * files that cannot be used; 70 with the stack for any other error.
 */
export function runProgram(program: Program, usage: string): void {
  program(process.argv.slice(2), process.env['PLIMSOLL_ROOT'] ?? process.cwd()).then(
    (code) => {
      process.exitCode = code;
    },
    (error: unknown) => {
      process.stderr.write(isForPeople(error) ? `${error.message}\n\n${usage}` : `${describe(error)}\n`);
      process.exitCode = isForPeople(error) ? 64 : 70;
    },
  );
}

function isForPeople(error: unknown): error is Error {
  return (
    error instanceof InputError || (error instanceof Error && 'code' in error && isArgumentCode(error.code))
  );
}

function isArgumentCode(code: unknown): boolean {
  return typeof code === 'string' && code.startsWith('ERR_PARSE_ARGS');
}

function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
