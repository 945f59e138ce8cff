import { setTimeout as delay } from 'node:timers/promises';
import type { AdvisoryViews } from '@plimsoll/db';

/** Less than the five minutes after which callers would wait for a new count. */
const everyMs = 4 * 60_000;

/** Keeps the reach of advisories and packages counted ahead of requests; returns when `signal` aborts. */
export async function keepReachCounted(
  views: Pick<AdvisoryViews, 'countAhead'>,
  log: { warn(fields: { readonly err: unknown }, message: string): void },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await views.countAhead();
    } catch (error) {
      // Requests meanwhile wait for their own count, or get the error.
      log.warn({ err: error }, 'hosts of all advisories not counted');
    }
    // The loop checks for an abort during the wait.
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
