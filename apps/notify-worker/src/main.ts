import { fileURLToPath } from 'node:url';
import {
  createBulletinClock,
  createConditionWatch,
  createEventCollector,
  createHostWatch,
  createRoundStore,
} from '@plimsoll/db';
import { closeConsumers, createRoundLog, runWorker } from '@plimsoll/process';
import { createCollectHandler } from './collect-handler.ts';
import { createCollectMetrics } from './collect-metrics.ts';
import { createDeliverHandler } from './deliver-handler.ts';
import { openDeliverContext } from './open-deliver-context.ts';
import { nextBulletin } from './schedule/next-bulletin.ts';
import { timingOf } from './schedule/timing.ts';

await runWorker({
  app: 'notify-worker',
  env: process.env,
  mainFile: fileURLToPath(import.meta.url),
  async start(environment) {
    const { config, db, queue, metrics, log } = environment;
    const context = await openDeliverContext(environment, process.env);
    const collect = createCollectHandler({
      collector: createEventCollector(db, timingOf),
      watch: createConditionWatch(db),
      hosts: createHostWatch(db),
      bulletins: createBulletinClock(db, nextBulletin),
      metrics: createCollectMetrics(metrics),
      rounds: createRoundLog(createRoundStore(db), log),
      log,
    });
    const consumers = [
      queue.consume('notify-collect', collect, { concurrency: 1 }),
      queue.consume('notify-deliver', createDeliverHandler(context), {
        concurrency: config['notify_worker.concurrency'],
      }),
    ];
    return {
      async stop() {
        await closeConsumers(consumers);
        await context.close();
      },
    };
  },
});
