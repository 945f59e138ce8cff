import { setTimeout as wait } from 'node:timers/promises';

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * Repeats `attempt` until it succeeds, with growing waits, and reports every failure. Resolves to null
 * once `signal` aborts. BullMQ objects never recover from a failed start, so each attempt must create new ones.
 */
export async function untilReady<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<T | null> {
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await attempt(signal);
    } catch (error) {
      if (!signal.aborted) report(error);
    }
    await wait(waitMs, undefined, { signal }).catch(() => undefined); // rejects only when aborted, which the loop condition handles
  }
  return null;
}
