import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@plimsoll/observability';
import type { Round } from './rounds.ts';

/** Rounds that go on until they are stopped. */
export interface RunningRounds {
  /** Begins no further round; resolves when those under way have ended. */
  stop(): Promise<void>;
}

/** Runs every round at once and then at its interval. One that fails is logged and comes again; none overtakes itself. */
export function runRounds(rounds: readonly Round[], log: Logger): RunningRounds {
  const stopped = new AbortController();
  // Each round listens while it waits.
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
      log.error({ round: round.name, err: error }, 'round failed');
    }
    await delay(round.everyMs, undefined, { signal: stopped }).catch(() => undefined); // Rejects only when stopped.
  }
}
