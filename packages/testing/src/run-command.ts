import { spawn } from 'node:child_process';

/** The result of a script. Text is read as Latin-1, so that every byte can be compared. */
export interface ScriptResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a script. */
export interface ScriptOptions {
  /** Folders to put first on the PATH. */
  readonly tools?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/**
 * Runs a command to its end, with this process's environment, without a proxy and with the variables in
 * `options`.
 */
export function runCommand(command: readonly string[], options: ScriptOptions = {}): Promise<ScriptResult> {
  const [program = '', ...args] = command;
  const { tools = [], env = {}, input = '' } = options;
  const inherited = Object.entries(process.env).filter(([name]) => !/_proxy$|^PLIMSOLL/i.test(name));
  const child = spawn(program, args, {
    env: { ...Object.fromEntries(inherited), ...env, PATH: [...tools, process.env['PATH'] ?? ''].join(':') },
  });
  const stdout: Buffer[] = [];
  const stderr: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  // A script that does not read its input may close it before it is written.
  child.stdin.on('error', () => undefined);
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (status) =>
      resolve({
        status,
        stdout: Buffer.concat(stdout).toString('latin1'),
        stderr: Buffer.concat(stderr).toString('latin1'),
      }),
    );
  });
}
