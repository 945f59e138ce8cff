import { setTimeout as delay } from 'node:timers/promises';
import { rulesVersion } from '@plimsoll/advisories';
import { applyCurrentRules } from '@plimsoll/db';
import type { MatchContext } from './match-context.ts';

const retryMs = 30_000;

/** Work that goes on beside the queues. */
export interface BackgroundWork {
  /** Ends it between two pieces; resolves when it has ended. */
  stop(): Promise<void>;
}

/**
 * Judges again what an older version of the rules judged, once, while uploads are matched. What fails is logged and tried
 * again; what is interrupted goes on with the next start.
 */
export function applyRulesInBackground(context: MatchContext): BackgroundWork {
  const stopped = new AbortController();
  const work = applyUntilDone(context, stopped.signal);
  return {
    async stop() {
      stopped.abort();
      await work;
    },
  };
}

async function applyUntilDone(context: MatchContext, signal: AbortSignal): Promise<void> {
  const { db, counter, log } = context;
  while (!signal.aborted) {
    try {
      const applied = await applyCurrentRules(db, { counter, signal });
      if (applied.versions + applied.hosts > 0)
        log.info({ ...applied, rules: rulesVersion }, 'rules applied');
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'rules not applied yet');
      await delay(retryMs, undefined, { signal }).catch(() => undefined); // Rejects only when stopped.
    }
  }
}
