import { fileURLToPath } from 'node:url';
import { feeds } from '@plimsoll/advisories';
import { createFeedStore, createHostCounter, createImportStore, createInterner } from '@plimsoll/db';
import { createFeedAddressPolicy } from '@plimsoll/outbound';
import { countRule, matchRule } from '@plimsoll/posture';
import { runWorker } from '@plimsoll/worker';
import { createSyncHandler } from './feeds/sync-handler.ts';
import { createMatchHandler } from './match-handler.ts';
import type { WorkerContext } from './worker-context.ts';

await runWorker({
  app: 'advisory-worker',
  env: process.env,
  mainFile: fileURLToPath(import.meta.url),
  async start({ config, db, queue, log }) {
    const context: WorkerContext = {
      db,
      interner: createInterner(db),
      imports: createImportStore(db),
      feeds: createFeedStore(db),
      counter: createHostCounter(countRule),
      matchRule,
      addressPolicy: createFeedAddressPolicy(config['feeds.allowed_private_networks']),
      feedsBaseUrl: config['feeds.base_url'],
      log,
    };
    await context.feeds.ensure(feeds.map(({ id }) => id));
    const consumers = [
      queue.consume('advisory-match', createMatchHandler(context), {
        concurrency: config['advisory_worker.concurrency'],
      }),
      queue.consume('advisory-sync', createSyncHandler(context), { concurrency: 1 }),
    ];
    return {
      async stop() {
        await Promise.all(consumers.map((consumer) => consumer.close({ graceMs: 5_000 })));
      },
    };
  },
});
