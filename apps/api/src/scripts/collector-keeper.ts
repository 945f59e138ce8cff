import { setTimeout as delay } from 'node:timers/promises';
import type { CollectorStore } from '@plimsoll/db';
import type { Logger } from '@plimsoll/process';
import type { PulledCollector } from './host-scripts.ts';

/**
 * First wait before the next attempt if the database is unreachable at start, in milliseconds; it grows with each
 * attempt.
 */
const shortestRetryMs = 1_000;
const longestRetryMs = 30_000;

/** Keeps the collector that this server's authorized_keys lines pin stored for as long as a host may request it. */
export interface CollectorKeeper {
  /**
   * The collector, once it is stored. No line with its hash may be sent before: a host would pin a script that no
   * server can send. Rejects if the database does not store it.
   */
  kept(): Promise<PulledCollector>;
}

/** Stores `collector` in `collectors`. */
export function createCollectorKeeper(
  collectors: CollectorStore,
  collector: PulledCollector,
): CollectorKeeper {
  const { script, version } = collector;
  const sha256 = Buffer.from(collector.sha256, 'hex');
  let keeping: Promise<void> | null = null;
  return {
    async kept() {
      keeping ??= collectors.keep({ sha256, version, script });
      const mine = keeping;
      try {
        await mine;
      } catch (error) {
        // The next call tries again.
        if (keeping === mine) keeping = null;
        throw error;
      }
      return collector;
    },
  };
}

/**
 * Keeps trying to store the collector while the database is unreachable; returns when it is stored or `signal` aborts.
 */
export async function keepFromStart(
  keeper: CollectorKeeper,
  log: Logger,
  signal: AbortSignal,
): Promise<void> {
  for (let pauseMs = shortestRetryMs; !signal.aborted; pauseMs = Math.min(2 * pauseMs, longestRetryMs)) {
    try {
      await keeper.kept();
      return;
    } catch (error) {
      log.warn({ err: error }, 'collector not kept yet');
    }
    // The loop checks for an abort during the wait.
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
