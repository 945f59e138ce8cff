import { setTimeout as delay } from 'node:timers/promises';

/** The longest a client can have us hold an answer, in seconds. */
const longestWaitSeconds = 30;

/** For how many seconds a `Prefer` header asks to wait (RFC 7240), 30 at most; null where it does not ask. */
export function preferredWaitSeconds(header: string | readonly string[] | undefined): number | null {
  const preferences = (Array.isArray(header) ? header.join(',') : String(header ?? '')).split(',');
  for (const preference of preferences) {
    const match = /^\s*wait\s*=\s*"?(\d{1,9})"?\s*(;.*)?$/i.exec(preference);
    if (match !== null) return Math.min(Number(match[1]), longestWaitSeconds);
  }
  return null;
}

/**
 * Asks again and again until there is an answer; null if there is none in time or the client has gone. Starts at a
 * tenth of a second between questions and slows down to one.
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
    // Aborted while waiting: the loop sees it.
    await delay(Math.min(pauseMs, leftMs), undefined, { signal }).catch(() => undefined);
  }
}
