import { setTimeout as delay } from 'node:timers/promises';
import type { HostStore } from '@plimsoll/db';

const everyMs = 5_000;

/** Keeps the hosts in memory ahead of requests; returns when `signal` aborts. */
export async function keepHostsRead(
  hosts: Pick<HostStore, 'readAhead'>,
  log: { warn(fields: { readonly err: unknown }, message: string): void },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await hosts.readAhead();
    } catch (error) {
      // Requests meanwhile read the hosts themselves, or get the error.
      log.warn({ err: error }, 'hosts not read into memory');
    }
    // The loop checks for an abort during the wait.
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
