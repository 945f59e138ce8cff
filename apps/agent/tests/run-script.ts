import { spawn } from 'node:child_process';

/** What a script did. Text is read as Latin-1 so that every byte can be looked at. */
export interface ScriptResult {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** How to run a script. */
export interface ScriptOptions {
  /** Folders that come first on the PATH. */
  readonly tools?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** Runs a command to its end. The environment is this process's, without a proxy and with what `options` says. */
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
  child.stdin.on('error', () => undefined); // A script that reads no input closes it before it is written.
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
