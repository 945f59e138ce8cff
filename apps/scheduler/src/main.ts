import { fileURLToPath } from 'node:url';
import { enabledFeedsOf, feedIds, ownFilesOf, syncIntervalsMsOf } from '@plimsoll/advisories';
import {
  createAuditStore,
  createFeedStore,
  createFleetStore,
  createImportStore,
  createInstanceStore,
  createPullJobStore,
  createRepositoryStore,
  createSessionStore,
  createUnusedRowStore,
  createUploadStore,
} from '@plimsoll/db';
import { runWorker } from '@plimsoll/process';
import { createRounds } from './rounds.ts';
import { runRounds } from './run-rounds.ts';

await runWorker({
  app: 'scheduler',
  env: process.env,
  mainFile: fileURLToPath(import.meta.url),
  async start({ config, db, queue, log }) {
    const feedStore = createFeedStore(db);
    await feedStore.ensure(feedIds);
    const rounds = createRounds({
      uploads: createUploadStore(db),
      imports: createImportStore(db),
      feeds: feedStore,
      fleet: createFleetStore(db),
      sessions: createSessionStore(db),
      pulls: createPullJobStore(db),
      repositories: createRepositoryStore(db),
      unusedRows: createUnusedRowStore(db),
      bell: queue,
      feedSync: {
        enabled: config['feeds.sync_enabled'],
        intervalsMs: syncIntervalsMsOf(config['feeds.sync_interval_minutes']),
        feeds: enabledFeedsOf(config['feeds.enabled']),
        ownFiles: ownFilesOf(config['feeds.urls']),
      },
      uploadRetentionDays: config['retention.uploads_days'],
      audit: createAuditStore(db),
      auditRetentionDays: config['retention.audit_days'],
      instances: createInstanceStore(db),
      trendRetentionDays: config['retention.trend_days'],
      log,
    });
    return runRounds(rounds, log);
  },
});
