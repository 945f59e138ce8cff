import { setTimeout as wait } from 'node:timers/promises';
import { QueueError } from './queue-error.ts';

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * Repeats `attempt` until it succeeds, with growing waits, and reports every failure. Rejects with `stopped` once
 * `signal` aborts. BullMQ objects never recover from a failed start, so each attempt must create new ones.
 */
export async function untilReady<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal,
  report: (error: unknown) => void,
): Promise<T> {
  for (let waitMs = firstWaitMs; !signal.aborted; waitMs = Math.min(waitMs * 2, longestWaitMs)) {
    try {
      return await attempt(signal);
    } catch (error) {
      if (!signal.aborted) report(error);
    }
    await wait(waitMs, undefined, { signal }).catch(() => undefined); // rejects only when aborted, which the loop condition handles
  }
  throw new QueueError('stopped', 'closed before the queue was ready');
}
