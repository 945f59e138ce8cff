import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { RoundLog } from '@plimsoll/process';
import type { Round } from './round.ts';

/** Rounds that run until they are stopped. */
export interface RunningRounds {
  /** Starts no further round; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/**
 * Runs each list of rounds at once and then at the interval of its first, its rounds one after the other. A failure is
 * noted, and the next round runs all the same; a list never overlaps with itself.
 * @param stopped aborted by stop(): a long round that follows its signal ends early.
 */
export function runRounds(
  lists: readonly (readonly Round[])[],
  log: RoundLog,
  stopped = new AbortController(),
): RunningRounds {
  // Each waiting list is a listener.
  setMaxListeners(lists.length, stopped.signal);
  const running = lists.map((rounds) => repeat(rounds, log, stopped.signal));
  return {
    async stop() {
      stopped.abort();
      await Promise.all(running);
    },
  };
}

async function repeat(rounds: readonly Round[], log: RoundLog, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    for (const round of rounds) if (!stopped.aborted) await log.run(round.name, () => round.run(), stopped);
    await delay(rounds[0]?.everyMs, undefined, { signal: stopped }).catch(() => undefined); // Rejects only when stopped.
  }
}
