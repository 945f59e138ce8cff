import { setTimeout as delay } from 'node:timers/promises';
import type { CollectorStore } from '@plimsoll/db';
import type { Logger } from '@plimsoll/observability';
import type { PulledCollector } from './host-scripts.ts';

/** How long a database that was away at the start is left alone, in milliseconds; longer each time. */
const shortestRetryMs = 1_000;
const longestRetryMs = 30_000;

/** Sees to it that the collector which this server's lines pin is kept for as long as a host may ask for it. */
export interface CollectorKeeper {
  /**
   * The collector, once the database has it. No line with its hash may go out before: a host would then pin what
   * nobody can send. Rejects when the database does not take it.
   */
  kept(): Promise<PulledCollector>;
}

/** Keeps `collector` in `collectors`. */
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
        // The next one to ask tries again.
        if (keeping === mine) keeping = null;
        throw error;
      }
      return collector;
    },
  };
}

/** Has the collector kept, however long the database stays away; returns when it is, or when `signal` ends the wait. */
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
    // Aborted while waiting: the loop sees it.
    await delay(pauseMs, undefined, { signal }).catch(() => undefined);
  }
}
