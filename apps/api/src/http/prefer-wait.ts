import { setTimeout as delay } from 'node:timers/promises';

/** The longest that a client can have the API delay an answer, in seconds. */
const longestWaitSeconds = 30;

/** The wait requested by a `Prefer` header (RFC 7240), in seconds, at most 30; null if it requests none. */
export function preferredWaitSeconds(header: string | readonly string[] | undefined): number | null {
  const preferences = (Array.isArray(header) ? header.join(',') : String(header ?? '')).split(',');
  for (const preference of preferences) {
    const match = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;.*)?$/i.exec(preference);
    if (match !== null) return Math.min(Number(match[1]), longestWaitSeconds);
  }
  return null;
}

/**
 * Polls until there is a result; null if there is none in time or the client disconnects. The interval grows from a
 * tenth of a second to one second.
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
