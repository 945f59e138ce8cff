import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** The OS user of a program: the current one, or another, which only root can choose. */
export type Account =
  | { readonly kind: 'own' }
  | { readonly kind: 'other'; readonly uid: number; readonly gid: number };

/** A program to run to its end. */
export interface Program {
  /** Absolute, or a name to look up in the system's folders. */
  readonly program: string;
  readonly args: readonly string[];
  readonly account?: Account;
  readonly cwd?: string;
  /** Text for its standard input; default: empty. */
  readonly input?: string;
}

/** How a program ended. */
export interface ProgramResult {
  /** The exit code; `null` if it could not be started or a signal ended it. */
  readonly code: number | null;
  /** The last 16 KiB of both output streams. */
  readonly output: string;
}

/** The environment of programs. They get nothing else, so that no setting or secret reaches them by accident. */
export const programEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

/**
 * Runs a program to its end. Never rejects: a program that cannot be started has no code and the reason in `output`.
 */
export function runProgram({
  program,
  args,
  account = { kind: 'own' },
  cwd = '/',
  input = '',
}: Program): Promise<ProgramResult> {
  return new Promise((resolve) => {
    let output = '';
    let child: ChildProcessWithoutNullStreams;
    try {
      // Detached, because Ctrl-C reaches the whole foreground group, and this process ends its programs itself.
      child = spawn(program, args, {
        cwd,
        env: programEnvironment,
        detached: true,
        ...spawnIdentity(account),
      });
    } catch (error) {
      // Node throws if the system refuses the user, and reports most other failures by an event.
      resolve({ code: null, output: String(error) });
      return;
    }
    const collect = (chunk: Buffer): void => {
      output = (output + chunk.toString('utf8')).slice(-16_384);
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    child.once('error', (error) => resolve({ code: null, output: error.message }));
    child.once('close', (code) => resolve({ code, output }));
    // A program that ends without reading its input closes the pipe; its exit code is the result.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** The options of spawn that run a program as `account`. */
export function spawnIdentity(account: Account): { uid?: number; gid?: number } {
  return account.kind === 'own' ? {} : { uid: account.uid, gid: account.gid };
}
