import { setTimeout as wait } from 'node:timers/promises';
import { QueueError } from './queue-error.ts';

const firstWaitMs = 100;
const longestWaitMs = 2_000;

/**
 * Tries `attempt` until it succeeds, with growing waits, and reports every failure. Rejects with `stopped` once
 * `signal` aborts. BullMQ remembers a failed start for ever, so each attempt must build its objects anew.
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
    await wait(waitMs, undefined, { signal }).catch(() => undefined); // rejects only when aborted: the loop sees it
  }
  throw new QueueError('stopped', 'closed before the queue was ready');
}
