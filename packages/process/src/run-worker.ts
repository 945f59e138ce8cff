import { pingDatabase } from '@plimsoll/db';
import type { Consumer } from '@plimsoll/queue';
import { serveHealth } from './health-server.ts';
import { lowerPriority } from './lower-priority.ts';
import type { RunningApp } from './run-app.ts';
import { type ProcessEnvironment, type ProcessOptions, runProcess } from './run-process.ts';

/** Time limit for the queue's answer to a health check, in milliseconds. */
const pingLimitMs = 2_000;
/** Time for running jobs after the request to stop, in milliseconds. */
const graceMs = 5_000;

/** Takes no further jobs; resolves when the running ones have ended, after at most 5 seconds. */
export async function closeConsumers(consumers: readonly Consumer[]): Promise<void> {
  await Promise.all(consumers.map((consumer) => consumer.close({ graceMs })));
}

/**
 * Runs the process of a worker: as `runProcess`, with health and metrics on `worker.health_port` if it is
 * set and free, and with a lower priority than the API: people wait for its answers.
 */
export async function runWorker(options: ProcessOptions): Promise<void> {
  lowerPriority('process');
  await runProcess({
    ...options,
    async start(environment) {
      const health = await serveWorkerHealth(environment);
      const work = await options.start(environment);
      return {
        async stop() {
          await work.stop();
          await health.stop();
        },
      };
    },
  });
}

async function serveWorkerHealth({
  config,
  db,
  queue,
  metrics,
  log,
}: ProcessEnvironment): Promise<RunningApp> {
  const port = config['worker.health_port'];
  if (port === null) return { stop: async () => undefined };
  try {
    const health = await serveHealth({
      host: config['worker.health_host'],
      port,
      metrics,
      isHealthy: async () => {
        await Promise.all([pingDatabase(db), queue.ping(pingLimitMs)]);
      },
    });
    return { stop: () => health.close() };
  } catch (err) {
    // Its work is worth more than its numbers, whose absence an alert reports.
    log.error({ err, port }, 'no health and no metrics: set worker.health_port to a free port');
    return { stop: async () => undefined };
  }
}
