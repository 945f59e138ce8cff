import type { Logger } from './logger.ts';

/** How long an app may take to finish what it has in hand, milliseconds. */
const defaultGraceMs = 15_000;

/** A running app. */
export interface RunningApp {
  /** Takes no more work, finishes what is in hand and closes everything. */
  stop(): Promise<void>;
}

/**
 * The life of an app's process. Starts it, and stops it once on SIGTERM, SIGINT, or when the supervisor that forked it
 * is gone (its IPC channel closes); then exits with 0, or with 1 when stopping fails or is not done `graceMs` after it
 * was asked for. A start that fails, an uncaught exception and an unhandled rejection are logged and end the process
 * with 1: a supervisor starts it again in a state that is known.
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
    // Asked while it still starts: it stops as soon as it stands.
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

  try {
    app = await options.start();
  } catch (error) {
    crash(error);
    return;
  }
  log.info('app started');
  if (wanted) await stop();
}

/** How long the last log lines may take to be written, milliseconds. */
const flushLimitMs = 500;

function exit(log: Logger, code: number): void {
  // Where nobody reads the log any more, flushing it never ends.
  setTimeout(() => process.exit(code), flushLimitMs);
  log.flush(() => process.exit(code));
}
