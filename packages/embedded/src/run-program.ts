import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';

/** The OS user a program runs as: the own one, or another, which only root can choose. */
export type Account =
  | { readonly kind: 'own' }
  | { readonly kind: 'other'; readonly uid: number; readonly gid: number };

/** A program to run to its end. */
export interface Program {
  /** Absolute, or a name that is looked up in the system's folders. */
  readonly program: string;
  readonly args: readonly string[];
  readonly account?: Account;
  readonly cwd?: string;
  /** Text for its standard input; nothing when missing. */
  readonly input?: string;
}

/** How a program ended. */
export interface ProgramResult {
  /** The exit code; `null` when it could not be started or a signal ended it. */
  readonly code: number | null;
  /** What it wrote to both streams, at most the last 16 KiB. */
  readonly output: string;
}

/** Programs get this environment and nothing of ours: no setting and no secret reaches them by accident. */
export const programEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

/** Runs a program to its end. Never rejects: a program that cannot be started has no code and says why in `output`. */
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
      // Detached: Ctrl-C reaches the whole foreground group, and what we run is ours to end.
      child = spawn(program, args, {
        cwd,
        env: programEnvironment,
        detached: true,
        ...spawnIdentity(account),
      });
    } catch (error) {
      // Node throws where the system refuses the user, and reports most other failures by an event.
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
    // A program that ends without reading its input closes the pipe; its exit code tells the story.
    child.stdin.on('error', () => undefined);
    child.stdin.end(input);
  });
}

/** The part of spawn's options that makes a program run as `account`. */
export function spawnIdentity(account: Account): { uid?: number; gid?: number } {
  return account.kind === 'own' ? {} : { uid: account.uid, gid: account.gid };
}
