import type { InstanceStore } from '@plimsoll/db';
import { serviceApps } from '@plimsoll/model';
import type { Logger, Metrics } from '@plimsoll/process';
import type { ApiQueue } from '../context.ts';
import { aliveMs } from '../operations/service/system.ts';
import type { Readiness } from '../readiness/check-readiness.ts';

const queueTimeoutMs = 1_000;

/** Registers what the API sees of the rest of the service. No values of what cannot be read now. */
export function registerServiceMetrics(options: {
  readonly metrics: Metrics;
  readonly instances: Pick<InstanceStore, 'list' | 'waitingWork'>;
  readonly readiness: () => Promise<Readiness>;
  readonly queue: Pick<ApiQueue, 'memory'>;
  readonly logger: Logger;
  readonly clock: () => Date;
}): void {
  const { metrics, instances, readiness, queue, logger, clock } = options;
  const register = <Label extends string>(
    name: string,
    help: string,
    label: Label,
    read: () => Promise<Readonly<Record<string, number>>>,
  ) =>
    metrics.gauge(name, help, [label], async (gauge) => {
      gauge.reset();
      try {
        for (const [word, value] of Object.entries(await read())) gauge.labels(word).set(value);
      } catch (error) {
        logger.debug({ err: error, metric: name }, 'service not measured');
      }
    });
  register('plimsoll_unready', '1 if readiness reports a part as not ready.', 'part', async () => {
    const found = await readiness();
    if (found.kind === 'ready') return { database: 0, migrations: 0, queue: Number(found.queue === 'down') };
    // What comes after the first fault was not looked at.
    return found.missing.pointer === '/database' ? { database: 1 } : { database: 0, migrations: 1 };
  });
  register('plimsoll_processes', 'Processes of each app that run, by their heartbeats.', 'app', async () => {
    const alive = (await instances.list()).filter(
      ({ lastSeenAt }) => Math.abs(clock().getTime() - lastSeenAt.getTime()) < aliveMs,
    );
    return Object.fromEntries(
      serviceApps.map((name) => [name, alive.filter(({ app }) => app === name).length]),
    );
  });
  register(
    'plimsoll_work_oldest_seconds',
    'Age of the oldest work that is not finished, besides uploads.',
    'work',
    async () =>
      Object.fromEntries(
        (await instances.waitingWork())
          .filter(({ work }) => work === 'pull' || work === 'import')
          .map(({ work, oldestAt }) => [
            work,
            Math.max(0, clock().getTime() - (oldestAt ?? clock()).getTime()) / 1_000,
          ]),
      ),
  );
  for (const kind of ['used', 'limit'] as const)
    metrics.gauge(
      `plimsoll_redis_memory_${kind}_bytes`,
      `Memory of Redis: ${kind}; no limit is 0.`,
      [],
      async (gauge) => {
        const memory = await queue.memory(queueTimeoutMs).catch(() => null);
        if (memory === null) gauge.remove();
        else gauge.set(memory[kind]);
      },
    );
}
