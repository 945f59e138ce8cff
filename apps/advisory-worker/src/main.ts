import { fileURLToPath } from 'node:url';
import { enabledFeedsOf, feedIds, staleAfterSecondsOf } from '@plimsoll/advisories';
import {
  createFeedStore,
  createHostCounter,
  createImportStore,
  createInterner,
  lagRulesOf,
} from '@plimsoll/db';
import { createFeedAddressPolicy } from '@plimsoll/outbound';
import { applyRulesInBackground, createJudgeHandler, createMatchHandlers } from '@plimsoll/pipeline';
import { runWorker } from '@plimsoll/worker';
import { feedProxiesOf } from './feeds/feed-proxy.ts';
import { feedMirrorsOf } from './feeds/feed-sources.ts';
import { createSyncHandler } from './feeds/sync-handler.ts';
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
      counter: createHostCounter(),
      lag: lagRulesOf(config),
      addressPolicy: createFeedAddressPolicy(config['feeds.allowed_private_networks']),
      proxies: feedProxiesOf(config['feeds.proxy'], process.env),
      mirrors: feedMirrorsOf(config['feeds.base_url'], config['feeds.urls']),
      enabledFeeds: enabledFeedsOf(config['feeds.enabled']),
      log,
    };
    await context.feeds.ensure(feedIds);
    // Only here: apps with different settings must not overwrite each other.
    await context.feeds.setThresholds(staleAfterSecondsOf(config['feeds.stale_after_days']));
    const match = createMatchHandlers(context, queue);
    const consumers = [
      queue.consume('advisory-match', match['advisory-match'], {
        concurrency: config['advisory_worker.concurrency'],
      }),
      queue.consume('advisory-match-large', match['advisory-match-large'], { concurrency: 1 }),
      queue.consume('repository-judge', createJudgeHandler(context), { concurrency: 1 }),
      queue.consume('advisory-sync', createSyncHandler(context), { concurrency: 1 }),
    ];
    const catchUp = applyRulesInBackground(context);
    return {
      async stop() {
        await catchUp.stop();
        await Promise.all(consumers.map((consumer) => consumer.close({ graceMs: 5_000 })));
      },
    };
  },
});
