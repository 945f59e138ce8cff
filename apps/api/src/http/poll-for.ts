import { setTimeout as delay } from 'node:timers/promises';

/**
 * Polls until there is a result; null without a result in time or if the client disconnects. The interval
 * grows from a tenth of a second to one second.
 */
export async function pollFor<T>(
  ask: () => Promise<T | null>,
  seconds: number,
  signal: AbortSignal,
): Promise<T | null> {
  const deadline = performance.now() + seconds * 1000;
  for (let pauseMs = 100; ; pauseMs = Math.min(pauseMs * 1.5, 1000)) {
    const result = await ask();
    const leftMs = deadline - performance.now();
    if (result !== null || leftMs <= 0 || signal.aborted) return result;
    // The loop checks for an abort during the wait.
    await delay(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => undefined);
  }
}
