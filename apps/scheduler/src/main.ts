import { fileURLToPath } from 'node:url';
import { enabledFeedsOf, feedIds, syncIntervalsMsOf } from '@plimsoll/advisories';
import {
  createAuditChain,
  createAuditStore,
  createExposureWalkStore,
  createFeedStore,
  createFleetStore,
  createHistoryRetention,
  createHostRetirement,
  createImportStore,
  createInstanceStore,
  createNotificationRounds,
  createPatchRhythmStore,
  createPullJobStore,
  createRecountStore,
  createRepositoryStore,
  createRetentionClock,
  createRoundStore,
  createSessionStore,
  createSetPostingStore,
  createTagWalk,
  createUnusedRowStore,
  createUploadStore,
  createWaiverStore,
  judgeDue,
} from '@plimsoll/db';
import { expectedRounds } from '@plimsoll/model';
import { createRoundLog, runWorker } from '@plimsoll/process';
import { auditExportOf, createAuditExports } from './audit-export/export-audit.ts';
import { createRounds } from './rounds.ts';
import { runRounds } from './run-rounds.ts';

await runWorker({
  app: 'scheduler',
  env: process.env,
  mainFile: fileURLToPath(import.meta.url),
  async start({ config, db, queue, log }) {
    const feedStore = createFeedStore(db);
    await feedStore.ensure(feedIds);
    const auditChain = createAuditChain(db);
    const stopped = new AbortController();
    const rounds = createRounds({
      clock: createRetentionClock(db),
      uploads: createUploadStore(db),
      imports: createImportStore(db),
      feeds: feedStore,
      fleet: createFleetStore(db),
      sessions: createSessionStore(db),
      pulls: createPullJobStore(db),
      repositories: createRepositoryStore(db),
      recounts: createRecountStore(db),
      waivers: createWaiverStore(db),
      unusedRows: createUnusedRowStore(db),
      setPostings: createSetPostingStore(db),
      bell: queue,
      feedSync: {
        enabled: config['feeds.sync_enabled'],
        intervalsMs: syncIntervalsMsOf(config['feeds.sync_interval_minutes']),
        feeds: enabledFeedsOf(config['feeds.enabled']),
      },
      uploadRetentionDays: config['retention.uploads_days'],
      audit: createAuditStore(db),
      auditChain,
      auditExports: createAuditExports(auditChain, auditExportOf(config), log),
      auditRetentionDays: config['retention.audit_days'],
      instances: createInstanceStore(db),
      trendRetentionDays: config['retention.trend_days'],
      history: createHistoryRetention(db, stopped.signal),
      exposureWalks: createExposureWalkStore(db),
      patchRhythms: createPatchRhythmStore(db),
      tagWalk: createTagWalk(db),
      judgeDue: () => judgeDue(db),
      retirement: createHostRetirement(db),
      retireAfterDays: config['hosts.retire_after_days'],
      notifications: createNotificationRounds(db),
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
