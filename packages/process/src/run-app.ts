import type { Logger } from './logger.ts';

/** Time for an app to finish its work, in milliseconds. */
const defaultGraceMs = 15_000;

/** A running app. */
export interface RunningApp {
  /** Accepts no further work, finishes running work and closes all resources. */
  stop(): Promise<void>;
}

/**
 * Runs an app's process: starts the app, and stops it once on SIGTERM, SIGINT, or when the supervisor that
 * forked it is gone (its IPC channel closes). Then exits with 0, or with 1 if stopping fails or takes longer
 * than `graceMs`. A failed start, an uncaught exception and an unhandled rejection are logged and exit with
 * 1: the supervisor restarts the process in a known state.
 */
export async function runApp(options: {
  readonly log: Logger;
  readonly start: () => Promise<RunningApp>;
  readonly graceMs?: number;
}): Promise<void> {
  const { log } = options;
  const crash = (err: unknown) => {
    log.fatal({ err }, 'app failed');
    exit(log, 1);
  };
  process.on('uncaughtException', crash);
  process.on('unhandledRejection', crash);

  let app: RunningApp | undefined;
  let stopping = false;
  let wanted = false;
  const stop = async () => {
    // Requested during the start: the app stops as soon as it has started.
    if (app === undefined || stopping) return;
    stopping = true;
    try {
      await app.stop();
      log.info('app stopped');
      exit(log, 0);
    } catch (error) {
      crash(error);
    }
  };
  const askToStop = (reason: string) => {
    if (wanted) return;
    wanted = true;
    log.info({ reason }, 'app stops');
    setTimeout(() => {
      log.error('app took too long to stop');
      exit(log, 1);
    }, options.graceMs ?? defaultGraceMs);
    void stop();
  };
  process.on('SIGTERM', () => askToStop('SIGTERM'));
  process.on('SIGINT', () => askToStop('SIGINT'));
  process.on('disconnect', () => askToStop('supervisor is gone'));
  // It may have ended before this listener was added. Undefined in a process that was not forked.
  if (process.connected === false) askToStop('supervisor is gone');

  try {
    app = await options.start();
  } catch (error) {
    crash(error);
    return;
  }
  log.info('app started');
  if (wanted) await stop();
}

/** Time for writing the last log lines, in milliseconds. */
const flushLimitMs = 500;

function exit(log: Logger, code: number): void {
  // Flushing never ends if the log has no reader.
  setTimeout(() => process.exit(code), flushLimitMs);
  log.flush(() => process.exit(code));
}
