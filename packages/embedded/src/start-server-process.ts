import { type ChildProcess, spawn } from 'node:child_process';
import { EmbeddedError } from './embedded-error.ts';
import { isAlive } from './process-identity.ts';
import { type Account, programEnvironment, spawnIdentity } from './run-program.ts';
import { until } from './until.ts';

/** A signal, and the time that a process gets to end after it. */
export interface StopStage {
  readonly signal: NodeJS.Signals;
  readonly waitMs: number;
}

/** A server to run until it is stopped. */
export interface ServerCommand {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly account: Account;
  /** Variables besides those that every program gets. */
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** From the mildest to the last resort; the guard also sends the first one when this process dies. */
  readonly stopStages: readonly [StopStage, ...StopStage[]];
  readonly onLog: (text: string) => void;
}

/** A running server. */
export interface ServerProcess {
  readonly pid: number;
  /** Resolves when the server has ended for any reason, with a phrase like `exit code 1`. */
  readonly ended: Promise<string>;
  hasEnded(): boolean;
  /** The last 4,000 characters of its output. */
  lastOutput(): string;
  stop(): Promise<void>;
}

/**
 * Starts a server in its own session, so that Ctrl-C does not reach it. A guard ends it if this process dies without
 * stopping it, SIGKILL included.
 */
export async function startServerProcess(command: ServerCommand): Promise<ServerProcess> {
  const { program, args, cwd, account, environment, stopStages, onLog } = command;
  const child = spawn(program, args, {
    cwd,
    env: { ...programEnvironment, ...environment },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    ...spawnIdentity(account),
  });
  let output = '';
  const collect = (chunk: Buffer): void => {
    const text = chunk.toString('utf8');
    output = (output + text).slice(-4000);
    onLog(text);
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const pid = await startedPid(child, program);
  const guard = startGuard(pid, stopStages[0].signal, account);

  let running = true;
  const ended = new Promise<string>((resolve) => {
    child.once('close', (code, signal) => {
      running = false;
      guard.kill('SIGKILL');
      resolve(code === null ? `signal ${signal}` : `exit code ${code}`);
    });
  });
  return {
    pid,
    ended,
    hasEnded: () => !running,
    lastOutput: () => output.trim(),
    async stop() {
      await stopInStages(pid, stopStages, () => !running);
    },
  };
}

/**
 * Sends the signals in turn until `isGone`, which by default checks whether the process id is still in use. Throws
 * `data_in_use` if the process outlives them all.
 */
export async function stopInStages(
  pid: number,
  stages: readonly StopStage[],
  isGone: () => boolean = () => !isAlive(pid),
): Promise<void> {
  for (const { signal, waitMs } of stages) {
    if (isGone()) return;
    if (isAlive(pid)) process.kill(pid, signal);
    if (await until(isGone, waitMs)) return;
  }
  throw new EmbeddedError('data_in_use', `process ${pid} does not end, even after SIGKILL`);
}

function startedPid(child: ChildProcess, program: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const refused = (cause: unknown): void =>
      reject(new EmbeddedError('start_failed', `${program} cannot be run: ${String(cause)}`, { cause }));
    child.once('error', refused);
    child.once('spawn', () => {
      if (child.pid === undefined) refused('it has no process id');
      else resolve(child.pid);
    });
  });
}

/** A shell that waits for the end of its input, which is the end of this process, and then signals the server. */
function startGuard(pid: number, signal: NodeJS.Signals, account: Account): ChildProcess {
  const script = 'while read -r _; do :; done; kill -s "$2" "$1"';
  const guard = spawn('/bin/sh', ['-c', script, 'plimsoll-guard', String(pid), signal.replace(/^SIG/, '')], {
    cwd: '/',
    env: programEnvironment,
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
    ...spawnIdentity(account),
  });
  // Without a guard the server still stops with its supervisor's normal shutdown, and is found at the next start.
  guard.on('error', () => undefined);
  guard.stdin.on('error', () => undefined);
  return guard;
}
