import { setTimeout as delay } from 'node:timers/promises';
import { databaseFault } from '@plimsoll/db';
import { explain } from '../explain.ts';

const longestMs = 60_000;
const everyMs = 500;

/**
 * Repeats `work` for a minute while the database cannot be reached, as when both start at once. Warns once. Rejects with
 * the last error; other errors are not repeated.
 */
export async function whileUnreachable<T>(
  work: () => Promise<T>,
  { warn, stop }: { readonly warn: (line: string) => void; readonly stop?: AbortSignal },
): Promise<T> {
  const deadline = performance.now() + longestMs;
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const isOver = stop?.aborted === true || performance.now() >= deadline;
      if (isOver || databaseFault(error)?.kind !== 'unreachable') throw error;
      if (attempt === 1) warn(`${explain(error)} Trying for a minute.`);
    }
    await delay(everyMs);
  }
}
