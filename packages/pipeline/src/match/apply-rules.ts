import { setTimeout as delay } from 'node:timers/promises';
import { rulesVersion } from '@plimsoll/advisories';
import { applyCurrentRules, countAhead, createWaiverStore, recountChangedHosts } from '@plimsoll/db';
import type { MatchContext } from './job-handlers.ts';

const retryMs = 30_000;

/** Work that runs beside the queues. */
export interface BackgroundWork {
  /** Stops the work between two steps; resolves when it has stopped. */
  stop(): Promise<void>;
}

/**
 * Counts the hosts of changes that a process left uncounted when it died. Then applies the current rules once to rows
 * that an older version of the rules judged, ends the snoozed waivers of what has a fix, and prepares the counter for the next import.
 * Uploads are matched meanwhile. Logs a failure and tries again; the next start continues interrupted work.
 */
export function applyRulesInBackground(context: MatchContext): BackgroundWork {
  const stopped = new AbortController();
  const work = applyUntilDone(context, stopped.signal).then(() => prepareToCount(context, stopped.signal));
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
      const left = await recountChangedHosts(db, { counter, signal });
      if (left > 0) log.info({ hosts: left }, 'hosts of earlier changes counted');
      const applied = await applyCurrentRules(db, { counter, signal });
      if (applied.versions + applied.hosts > 0)
        log.info({ ...applied, rules: rulesVersion }, 'rules applied');
      // Also those of an import whose process died before it ended them.
      await createWaiverStore(db).endFixed();
      return;
    } catch (error) {
      if (signal.aborted) return;
      log.error({ err: error }, 'rules not applied yet');
      await delay(retryMs, undefined, { signal }).catch(() => undefined); // Rejects only when stopped.
    }
  }
}

/** Only makes the next import faster, so a failure is not tried again. */
async function prepareToCount({ db, counter, log }: MatchContext, signal: AbortSignal): Promise<void> {
  try {
    const hosts = await countAhead(db, { counter, signal });
    log.debug({ hosts }, 'hosts counted ahead of the next import');
  } catch (error) {
    if (!signal.aborted) log.warn({ err: error }, 'hosts not counted ahead of the next import');
  }
}
