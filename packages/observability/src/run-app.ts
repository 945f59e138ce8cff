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
 * is gone (its IPC channel closes); then exits with 0, or with 1 when stopping fails or takes longer than `graceMs`. A
 * start that fails, an uncaught exception and an unhandled rejection are logged and end the process with 1: a
 * supervisor starts it again in a state that is known.
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
  let wanted: string | undefined;
  let stopping = false;
  const stop = async (reason: string) => {
    wanted ??= reason;
    // Asked while it still starts: it stops as soon as it stands.
    if (app === undefined || stopping) return;
    stopping = true;
    log.info({ reason: wanted }, 'app stops');
    const deadline = setTimeout(() => {
      log.error('app took too long to stop');
      exit(log, 1);
    }, options.graceMs ?? defaultGraceMs);
    try {
      await app.stop();
      clearTimeout(deadline);
      log.info('app stopped');
      exit(log, 0);
    } catch (error) {
      crash(error);
    }
  };
  process.on('SIGTERM', () => void stop('SIGTERM'));
  process.on('SIGINT', () => void stop('SIGINT'));
  process.on('disconnect', () => void stop('supervisor is gone'));

  try {
    app = await options.start();
  } catch (error) {
    crash(error);
    return;
  }
  log.info('app started');
  if (wanted !== undefined) await stop(wanted);
}

function exit(log: Logger, code: number): void {
  log.flush(() => process.exit(code));
}
