import { setTimeout as delay } from 'node:timers/promises';
import type { AdvisoryViews } from '@plimsoll/db';

/** Less than the five minutes after which people would have to wait for a new count. */
const everyMs = 4 * 60_000;

/** Has what advisories and packages reach counted before anybody asks, and again and again; returns when `signal` ends it. */
export async function keepReachCounted(
  views: Pick<AdvisoryViews, 'countAhead'>,
  log: { warn(fields: { readonly err: unknown }, message: string): void },
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    try {
      await views.countAhead();
    } catch (error) {
      // Who asks meanwhile waits for a count of their own, or is told what is wrong.
      log.warn({ err: error }, 'hosts of all advisories not counted');
    }
    // Aborted while waiting: the loop sees it.
    await delay(everyMs, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
