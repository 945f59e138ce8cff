import type { BulletinClock, CollectedEvents, ConditionWatch, EventCollector, HostWatch } from '@plimsoll/db';
import type { Logger } from '@plimsoll/process';
import type { JobHandler, jobs, PayloadOf } from '@plimsoll/queue';
import type { CollectMetrics } from './collect-metrics.ts';

/** Events taken in one turn. */
const eventsPerTurn = 500;

/** The dependencies of the job. */
export interface CollectContext {
  readonly collector: EventCollector;
  readonly watch: ConditionWatch;
  readonly hosts: HostWatch;
  readonly bulletins: BulletinClock;
  readonly metrics: CollectMetrics;
  readonly log: Logger;
}

/**
 * Handles `notify-collect`: looks for conditions that began or ended if asked to, then writes deliveries until the outbox
 * is empty, also if the look fails.
 */
export function createCollectHandler(
  context: CollectContext,
): JobHandler<PayloadOf<typeof jobs, 'notify-collect'>> {
  return async ({ kind }, { signal }) => {
    const failures: unknown[] = [];
    if (kind === 'conditions')
      for (const look of [lookAtConditions, lookAtHosts, lookAtBulletins])
        await look(context).catch((error: unknown) => failures.push(error));
    let collected: CollectedEvents;
    do {
      signal.throwIfAborted();
      collected = await context.collector.collect(eventsPerTurn);
      note(context, collected);
    } while (collected.taken + collected.failed.length >= eventsPerTurn);
    if (failures.length > 0) throw failures[0];
  };
}

async function lookAtConditions({ watch, log }: CollectContext): Promise<void> {
  const { begun, ended, failed } = await watch.look();
  if (begun + ended > 0) log.info({ begun, ended }, 'conditions began or ended');
  for (const { event, error } of failed) log.error({ err: error, event }, 'a condition cannot be compared');
}

async function lookAtHosts({ hosts, log }: CollectContext): Promise<void> {
  const found = await hosts.look();
  if (found.told > 0) log.info(found, 'changes on hosts found');
}

async function lookAtBulletins({ bulletins, log }: CollectContext): Promise<void> {
  const written = await bulletins.look();
  if (written > 0) log.info({ bulletins: written }, 'reports by mail are due');
}

function note({ metrics, log }: CollectContext, { taken, failed }: CollectedEvents): void {
  if (taken > 0) log.info({ events: taken }, 'events collected');
  for (const { id: eventId, event, starts, error, isFinal } of failed) {
    metrics.failed(isFinal);
    log.error({ err: error, eventId, event, starts, isFinal }, 'an event of the outbox cannot be collected');
  }
}
