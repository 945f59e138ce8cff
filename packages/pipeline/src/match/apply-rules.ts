import { setTimeout as delay } from 'node:timers/promises';
import { rulesVersion } from '@plimsoll/advisories';
import { applyCurrentRules, createWaiverStore, recountChangedHosts } from '@plimsoll/db';
import type { RoundName } from '@plimsoll/model';
import type { RoundLog } from '@plimsoll/process';
import type { MatchContext } from './job-handlers.ts';

const retryMs = 30_000;

/** Work that runs beside the queues. */
export interface BackgroundWork {
  /** Stops the work between two steps; resolves when it has stopped. */
  stop(): Promise<void>;
}

/**
 * Counts the hosts of changes that a process left uncounted when it died, applies the current rules once to rows that an older
 * version of the rules judged, and ends the snoozed waivers of what has a fix; each also if another fails. Uploads are matched
 * meanwhile. Tries again what failed; the next start continues interrupted work.
 */
export function applyRulesInBackground(context: MatchContext, rounds: RoundLog): BackgroundWork {
  const stopped = new AbortController();
  const work = catchUp(context, rounds, stopped.signal);
  return {
    async stop() {
      stopped.abort();
      await work;
    },
  };
}

async function catchUp(context: MatchContext, rounds: RoundLog, signal: AbortSignal): Promise<void> {
  let left: readonly (readonly [RoundName, () => Promise<void>])[] = [
    ['count hosts of earlier changes', () => countLeft(context, signal)],
    ['apply changed rules', () => applyRules(context, signal)],
    // Also those of an import whose process died before it ended them.
    ['end snoozed waivers', async () => void (await createWaiverStore(context.db).endFixed())],
  ];
  while (left.length > 0 && !signal.aborted) {
    const failed: (typeof left)[number][] = [];
    for (const step of left) if (!signal.aborted && !(await rounds.run(...step, signal))) failed.push(step);
    left = failed;
    if (left.length > 0) await delay(retryMs, undefined, { signal }).catch(() => undefined); // Rejects only when stopped.
  }
}

async function countLeft({ db, counter, log }: MatchContext, signal: AbortSignal): Promise<void> {
  const hosts = await recountChangedHosts(db, { counter, signal });
  if (hosts > 0) log.info({ hosts }, 'hosts of earlier changes counted');
}

async function applyRules({ db, counter, log }: MatchContext, signal: AbortSignal): Promise<void> {
  const applied = await applyCurrentRules(db, { counter, signal });
  if (applied.versions + applied.hosts > 0) log.info({ ...applied, rules: rulesVersion }, 'rules applied');
}
