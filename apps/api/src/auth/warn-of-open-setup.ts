import { setTimeout as delay } from 'node:timers/promises';
import type { Config } from '@plimsoll/config';
import type { UserStore } from '@plimsoll/db';
import { isLoopbackHost } from '@plimsoll/model';
import type { Logger } from '@plimsoll/process';

/** The input of the warning. */
export interface OpenSetup {
  readonly config: Pick<Config, 'api.host' | 'api.setup_code'>;
  readonly users: Pick<UserStore, 'anyUserExists'>;
  readonly log: Logger;
  /** Stops the watch. */
  readonly signal: AbortSignal;
  /** Time between two warnings, in milliseconds. */
  readonly everyMs?: number;
}

/**
 * Warns at start and every ten minutes while anyone on the network can create the first admin: no user exists, no setup
 * code is set, and the API listens on more than the loopback address. Returns when that ends or `signal` aborts.
 */
export async function warnOfOpenSetup({
  config,
  users,
  log,
  signal,
  everyMs = 10 * 60_000,
}: OpenSetup): Promise<void> {
  const host = config['api.host'];
  if (config['api.setup_code'] !== null || isLoopbackHost(host)) return;
  while (!signal.aborted) {
    try {
      if (await users.anyUserExists()) return;
      log.warn(
        { host },
        'the setup waits for the first user: anyone who reaches this address can become its admin. Create the user ' +
          'now, or set api.setup_code and restart',
      );
    } catch (error) {
      log.warn({ err: error }, 'cannot check whether the setup still waits for its first user');
    }
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined); // rejects only on abort
  }
}
