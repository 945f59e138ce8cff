import type { BulletinClock, CollectedEvents, ConditionWatch, EventCollector, HostWatch } from '@plimsoll/db';
import type { Logger, RoundLog } from '@plimsoll/process';
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
  readonly rounds: RoundLog;
  readonly log: Logger;
}

/**
 * Handles `notify-collect`: looks for conditions that began or ended if asked to, then writes deliveries until the outbox
 * is empty, also if a look fails: the scheduler asks again soon.
 */
export function createCollectHandler(
  context: CollectContext,
): JobHandler<PayloadOf<typeof jobs, 'notify-collect'>> {
  return async ({ kind }, { signal }) => {
    if (kind === 'conditions') {
      await context.rounds.run('compare conditions', () => lookAtConditions(context));
      await context.rounds.run('compare findings of hosts', () => lookAtHosts(context));
      await context.rounds.run('write due reports by mail', () => lookAtBulletins(context));
    }
    let collected: CollectedEvents;
    do {
      signal.throwIfAborted();
      collected = await context.collector.collect(eventsPerTurn);
      note(context, collected);
    } while (collected.taken + collected.failed.length >= eventsPerTurn);
  };
}

async function lookAtConditions({ watch, log }: CollectContext): Promise<void> {
  const { begun, ended, failed } = await watch.look();
  if (begun + ended > 0) log.info({ begun, ended }, 'conditions began or ended');
  const [first] = failed;
  if (first !== undefined)
    throw new Error(`conditions cannot be compared: ${failed.map(({ event }) => event).join(', ')}`, {
      cause: first.error,
    });
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
