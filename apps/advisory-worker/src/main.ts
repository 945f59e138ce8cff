import { fileURLToPath } from 'node:url';
import { createRoundStore } from '@plimsoll/db';
import {
  applyRulesInBackground,
  createExposureWalkHandler,
  createJudgeHandler,
  createMatchHandlers,
  createRecountHandler,
} from '@plimsoll/pipeline';
import { closeConsumers, createRoundLog, runWorker } from '@plimsoll/process';
import { createSyncHandler } from './feeds/sync-handler.ts';
import { openWorkerContext } from './worker-context.ts';

await runWorker({
  app: 'advisory-worker',
  env: process.env,
  mainFile: fileURLToPath(import.meta.url),
  async start(environment) {
    const { config, db, queue, log } = environment;
    const context = await openWorkerContext(environment, process.env);
    const match = createMatchHandlers(context, queue);
    const concurrency = config['advisory_worker.concurrency'];
    const consumers = [
      queue.consume('advisory-match', match['advisory-match'], { concurrency }),
      queue.consume('advisory-match-large', match['advisory-match-large'], { concurrency: 1 }),
      queue.consume('repository-judge', createJudgeHandler(context), { concurrency: 1 }),
      queue.consume('host-recount', createRecountHandler(context), { concurrency: 1 }),
      queue.consume('exposure-walk', createExposureWalkHandler(context), { concurrency: 1 }),
      queue.consume('advisory-sync', createSyncHandler(context), { concurrency: 1 }),
    ];
    const catchUp = applyRulesInBackground(context, createRoundLog(createRoundStore(db), log));
    return {
      async stop() {
        await catchUp.stop();
        await closeConsumers(consumers);
      },
    };
  },
});
