import { type ChildProcess, fork } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { type Account, spawnIdentity } from '@plimsoll/embedded';
import { restartDelayMs } from './restart-delay.ts';
import { whenAborted } from './when-aborted.ts';

/** An app that ran this long is no longer counted as failing in a row. */
const steadyMs = 60_000;

/** How an app ended without being stopped. */
export interface UnexpectedEnd {
  readonly app: string;
  /** Such as `exit code 1`. */
  readonly how: string;
  /** The number of failures in a row, including this one. */
  readonly failures: number;
  /** Time until its restart, in milliseconds. */
  readonly restartInMs: number;
}

/** What to run, and the callbacks. */
export interface AppOptions {
  readonly name: string;
  readonly entry: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly account: Account;
  /** The debugger's address, such as `127.0.0.1:9229`; null opens no port. */
  readonly inspect: string | null;
  /** Called with the process id at each start. */
  readonly onStart: (pid: number) => void;
  readonly onOutput: (text: string) => void;
  readonly onUnexpectedEnd: (end: UnexpectedEnd) => void;
}

/** An app that is kept running. */
export interface SupervisedApp {
  readonly name: string;
  failures(): number;
  /** The last 2,000 characters of its output, over all starts. */
  lastOutput(): string;
  /** Gives it `graceMs` to finish work in progress, or until `hurry` is aborted; then kills it. */
  stop(graceMs: number, hurry: AbortSignal): Promise<void>;
  /** Ends the process as `stop` does and restarts the app at once. Does nothing once the app is stopped. */
  restart(graceMs: number): Promise<void>;
}

/**
 * Runs an app as its own process and restarts it whenever it ends, after a growing delay. The process gets an IPC
 * channel, whose end shows that its supervisor is gone, and its own session, so that Ctrl-C does not reach it.
 */
export function superviseApp(options: AppOptions): SupervisedApp {
  const { name, onUnexpectedEnd } = options;
  const state = { stopping: false, failures: 0, output: '' };
  /** The process being ended by a restart. */
  let replaced: AppProcess | null = null;
  let process = launch();
  let restart: NodeJS.Timeout | undefined;

  function launch(): AppProcess {
    const startedAt = performance.now();
    const started = startProcess(options, (text) => {
      state.output = (state.output + text).slice(-2000);
      options.onOutput(text);
    });
    void started.ended.then((how) => {
      if (state.stopping || started === replaced) return;
      state.failures = performance.now() - startedAt >= steadyMs ? 1 : state.failures + 1;
      const restartInMs = restartDelayMs(state.failures);
      restart = setTimeout(() => {
        process = launch();
      }, restartInMs);
      onUnexpectedEnd({ app: name, how, failures: state.failures, restartInMs });
    });
    return started;
  }

  return {
    name,
    failures: () => state.failures,
    lastOutput: () => state.output.trim(),
    async stop(graceMs, hurry) {
      state.stopping = true;
      clearTimeout(restart);
      await endProcess(process, graceMs, hurry);
    },
    async restart(graceMs) {
      if (state.stopping) return;
      clearTimeout(restart);
      replaced = process;
      await endProcess(process, graceMs, null);
      if (state.stopping) return;
      state.failures = 0;
      process = launch();
    },
  };
}

/** Gives a process `graceMs` to finish, or until `hurry` is aborted, then kills it. Resolves when it has ended. */
async function endProcess(process: AppProcess, graceMs: number, hurry: AbortSignal | null): Promise<void> {
  process.signal('SIGTERM');
  const waiting = new AbortController();
  const hurried = hurry === null ? [] : [whenAborted(hurry)];
  // Rejects only when the wait is given up.
  const grace = delay(graceMs, undefined, { signal: waiting.signal }).catch(() => undefined);
  await Promise.race([process.ended, grace, ...hurried]);
  waiting.abort();
  process.signal('SIGKILL');
  await process.ended;
}

interface AppProcess {
  /** Resolves with how it ended, also if it could not be started. */
  readonly ended: Promise<string>;
  /** Does nothing to a process that has ended. */
  signal(signal: NodeJS.Signals): void;
}

function startProcess(
  { entry, cwd, env, account, inspect, onStart }: AppOptions,
  onOutput: (text: string) => void,
): AppProcess {
  const child: ChildProcess = fork(entry, [], {
    cwd,
    env: { ...env },
    execArgv: ['--enable-source-maps', ...(inspect === null ? [] : [`--inspect=${inspect}`])],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    detached: true,
    ...spawnIdentity(account),
  });
  if (child.pid !== undefined) onStart(child.pid);
  const collect = (chunk: Buffer): void => onOutput(chunk.toString('utf8'));
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  let running = true;
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => {
      if (child.pid === undefined) resolve(error.message);
      onOutput(`${error.message}\n`);
    });
    child.once('close', (code, signal) => resolve(code === null ? `signal ${signal}` : `exit code ${code}`));
  }).then((how) => {
    running = false;
    return how;
  });
  return {
    ended,
    signal(signal) {
      if (running) child.kill(signal);
    },
  };
}
