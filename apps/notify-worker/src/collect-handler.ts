import type { ConditionWatch, EventCollector } from '@plimsoll/db';
import type { Logger } from '@plimsoll/process';
import type { JobHandler, jobs, PayloadOf } from '@plimsoll/queue';

/** Events taken in one transaction. */
const eventsPerTurn = 500;

/** The dependencies of the job. */
export interface CollectContext {
  readonly collector: EventCollector;
  readonly watch: ConditionWatch;
  readonly log: Logger;
}

/**
 * Handles `notify-collect`: looks for conditions that began or ended if asked to, then writes deliveries until the outbox
 * is empty.
 */
export function createCollectHandler({
  collector,
  watch,
  log,
}: CollectContext): JobHandler<PayloadOf<typeof jobs, 'notify-collect'>> {
  return async ({ kind }, { signal }) => {
    if (kind === 'conditions') {
      const found = await watch.look();
      if (found.begun + found.ended > 0) log.info(found, 'conditions began or ended');
    }
    let taken: number;
    do {
      signal.throwIfAborted();
      taken = await collector.collect(eventsPerTurn);
      if (taken > 0) log.info({ events: taken }, 'events collected');
    } while (taken === eventsPerTurn);
  };
}
