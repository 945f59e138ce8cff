import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '@plimsoll/embedded';
import { waitFor } from '@plimsoll/testing';

const root = path.resolve(__dirname, '../..');
const cli = path.join(root, 'apps/cli/bin/plimsoll.mjs');

/** How a command ended. */
export interface Ended {
  readonly code: number | null;
  readonly output: string;
  readonly problems: string;
}

/** A person with a shell in a folder of their own, in which `npm start` has its folder `data`. */
export interface Operator {
  readonly folder: string;
  /** Of the running service. */
  readonly url: string;
  /** Runs a text as if pasted into a shell, but stops at the first command that fails. */
  run(script: string, input?: string): Promise<Ended>;
  /** Starts the service and waits until it says that it is ready. */
  start(): Promise<void>;
  /** As Ctrl-C. */
  stop(): Promise<void>;
  /** Stops the service and removes the folder. */
  leave(): Promise<void>;
}

/** A new folder. `programs`: folders for the PATH, before the usual ones. */
export async function createOperator(programs: readonly string[] = []): Promise<Operator> {
  const folder = await mkdtemp(path.join(tmpdir(), 'plimsoll-operator-'));
  // Root runs PostgreSQL and the apps as other users.
  await chmod(folder, 0o777);
  const bin = path.join(folder, 'bin');
  await mkdir(bin);
  // What npm makes of package.json in a checkout.
  await writeProgram(bin, 'plimsoll', `exec '${process.execPath}' '${cli}' "$@"`);
  await writeProgram(bin, 'npx', 'exec "$@"');
  await writeProgram(bin, 'npm', '[ "$*" = start ] && exec plimsoll start');
  const url = `http://127.0.0.1:${await findFreePort()}`;
  const env = {
    PATH: [bin, ...programs, process.env['PATH']].join(':'),
    HOME: folder,
    LC_ALL: 'C.UTF-8',
    PLIMSOLL_CONFIG: '',
    PLIMSOLL_DATA_DIR: path.join(folder, 'data'),
    PLIMSOLL_API_HOST: '127.0.0.1',
    PLIMSOLL_API_PORT: new URL(url).port,
    PLIMSOLL_FEEDS_SYNC_ENABLED: 'false',
    PLIMSOLL_AUDIT_EXPORT_FILE: path.join(folder, 'audit.jsonl'),
  };
  let service: ChildProcess | null = null;
  const stop = async (): Promise<void> => {
    if (service === null || service.exitCode !== null || service.signalCode !== null) return;
    const ended = once(service, 'exit');
    service.kill('SIGINT');
    await ended;
  };
  return {
    folder,
    url,
    async run(script, input) {
      const args = input === undefined ? ['-eu'] : ['-euc', script];
      const shell = spawn('/bin/sh', args, { cwd: folder, env });
      const ended = { output: '', problems: '' };
      shell.stdout.setEncoding('utf8').on('data', (text: string) => {
        ended.output += text;
      });
      shell.stderr.setEncoding('utf8').on('data', (text: string) => {
        ended.problems += text;
      });
      shell.stdin.end(input ?? script);
      await once(shell, 'close');
      return { code: shell.exitCode, ...ended };
    },
    async start() {
      const started = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
      service = started;
      let said = '';
      for (const stream of [started.stdout, started.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => {
          said += text;
        });
      await waitFor('the service to be ready', () => said.includes('Ctrl-C') || started.exitCode !== null);
      if (started.exitCode !== null) throw new Error(`the service ended: ${said}`);
    },
    stop,
    async leave() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Puts a shell script into a folder of programs. */
export async function writeProgram(folder: string, name: string, script: string): Promise<void> {
  await writeFile(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}
