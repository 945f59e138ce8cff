import { spawn } from 'node:child_process';
import type { Site } from './site.ts';

/** How a real client ended. */
export interface ClientRun {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether it exceeded its time and was killed. */
  readonly hung: boolean;
}

/** Options that restrict OpenSSH's clients to the test's key and exclude the user's own files. */
export function clientOptions({ sshd, keyFile }: Site): readonly string[] {
  const options = [
    `Port=${sshd.port}`,
    `IdentityFile=${keyFile}`,
    'IdentitiesOnly=yes',
    'IdentityAgent=none',
    'StrictHostKeyChecking=no',
    'UserKnownHostsFile=/dev/null',
    'BatchMode=yes',
    'ConnectTimeout=10',
  ];
  return ['-F', '/dev/null', ...options.flatMap((option) => ['-o', option])];
}

/** Runs a client. `input` null leaves its standard input open and silent, like a terminal. */
export function runClient(
  program: string,
  args: readonly string[],
  { input = '', timeoutMs = 15_000 }: { input?: string | Uint8Array | null; timeoutMs?: number } = {},
): Promise<ClientRun> {
  const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'] });
  const text = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('latin1').on('data', (chunk: string) => {
      text[name] = (text[name] + chunk).slice(0, 1_048_576);
    });
  }
  // A refused client does not read its input.
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(input);
  return new Promise((resolve, reject) => {
    let hung = false;
    const timer = setTimeout(() => {
      hung = true;
      child.kill('SIGKILL');
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (status) => {
      clearTimeout(timer);
      child.stdin.destroy();
      resolve({ status, ...text, hung });
    });
  });
}
