import { fileURLToPath } from 'node:url';
import { enabledFeedsOf, feedIds, syncIntervalsMsOf } from '@plimsoll/advisories';
import { createRoundStore } from '@plimsoll/db';
import { expectedRounds } from '@plimsoll/model';
import { createRoundLog, runWorker } from '@plimsoll/process';
import { auditExportOf, createAuditExports } from './audit-export/export-audit.ts';
import { roundStores } from './round-stores.ts';
import { createRounds } from './rounds.ts';
import { runRounds } from './run-rounds.ts';

await runWorker({
  app: 'scheduler',
  env: process.env,
  mainFile: fileURLToPath(import.meta.url),
  async start({ config, db, queue, log }) {
    const stopped = new AbortController();
    const stores = roundStores(db, stopped.signal);
    await stores.feeds.ensure(feedIds);
    const rounds = createRounds({
      ...stores,
      bell: queue,
      feedSync: {
        enabled: config['feeds.sync_enabled'],
        intervalsMs: syncIntervalsMsOf(config['feeds.sync_interval_minutes']),
        feeds: enabledFeedsOf(config['feeds.enabled']),
      },
      uploadRetentionDays: config['retention.uploads_days'],
      auditExports: createAuditExports(stores.auditChain, auditExportOf(config), log),
      auditRetentionDays: config['retention.audit_days'],
      trendRetentionDays: config['retention.trend_days'],
      retireAfterDays: config['hosts.retire_after_days'],
      deliveryRetentionDays: config['retention.deliveries_days'],
      payloadRetentionDays: config['retention.payloads_days'],
      fullHistoryDays: config['retention.full_days'],
      dailyHistoryDays: config['retention.daily_days'],
      historyRetentionDays: config['retention.history_days'],
      log,
    });
    const roundStore = createRoundStore(db);
    await roundStore.keepOnly([...expectedRounds, ...rounds.flat().map(({ name }) => name)]);
    return runRounds(rounds, createRoundLog(roundStore, log), stopped);
  },
});
