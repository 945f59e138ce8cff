import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@plimsoll/process';
import type { Round } from './rounds.ts';

/** Rounds that run until they are stopped. */
export interface RunningRounds {
  /** Starts no further round; resolves when the running ones have ended. */
  stop(): Promise<void>;
}

/**
 * Runs each round at once and then at its interval. A failure is logged and the round runs again later; a round never
 * overlaps with itself. @param stopped aborted by stop(): a long round that follows its signal ends early.
 */
export function runRounds(
  rounds: readonly Round[],
  log: Logger,
  stopped = new AbortController(),
): RunningRounds {
  // Each waiting round is a listener.
  setMaxListeners(rounds.length, stopped.signal);
  const running = rounds.map((round) => runRound(round, log, stopped.signal));
  return {
    async stop() {
      stopped.abort();
      await Promise.all(running);
    },
  };
}

async function runRound(round: Round, log: Logger, stopped: AbortSignal): Promise<void> {
  while (!stopped.aborted) {
    try {
      await round.run(new Date());
    } catch (error) {
      if (!stopped.aborted) log.error({ round: round.name, err: error }, 'round failed');
    }
    await delay(round.everyMs, undefined, { signal: stopped }).catch(() => undefined); // Rejects only when stopped.
  }
}
