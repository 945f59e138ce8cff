import path from 'node:path';
import { type Database, findPendingMigrations, openDatabase } from '@plimsoll/db';
import { createMetrics, type Logger } from '@plimsoll/observability';
import { appQueues, jobs, openQueue } from '@plimsoll/queue';
import { createQueueObserver, queueBackendOf, uploadLimitsOf } from '@plimsoll/worker';
import { type ApiConfig, apiSettingsOf, statementLimitMs, threadFile } from './api-config.ts';
import type { ApiContext } from './context.ts';
import { readDashboard } from './dashboard/read-dashboard.ts';
import { createEventHub, eventHubLimits } from './events/event-hub.ts';
import { createReader, type Reader } from './reads/reader.ts';
import { createCollectorKeeper } from './scripts/collector-keeper.ts';
import { readHostScripts } from './scripts/host-scripts.ts';
import { createStores } from './stores.ts';
import { certificateFilesOf, keepCertificate } from './tls/kept-certificate.ts';

/** The dependencies of a running API, and how to close its connections. */
export interface OpenContext {
  readonly context: ApiContext;
  /** Stops the readers of requests. No request is served afterwards. */
  closeReads(): Promise<void>;
  /** Closes the connections to the queue and the database. */
  close(): Promise<void>;
}

/** Reads the files and opens the database and the queue. Rejects if agent or dashboard are not built. */
export async function openContext(config: ApiConfig, log: Logger, projectDir: string): Promise<OpenContext> {
  const scripts = await readHostScripts(path.join(projectDir, 'apps', 'agent', 'dist'));
  const dashboard = await readDashboard(path.join(projectDir, 'apps', 'dashboard', 'dist'));
  const metrics = createMetrics();
  const clock = () => new Date();
  const files = certificateFilesOf(config);
  const certificate = files === null ? null : await keepCertificate(files, { log, metrics, clock });
  const database = openApiDatabase(config, log);
  const observe = createQueueObserver(log, metrics);
  const queue = await openQueue(jobs, { backend: queueBackendOf(config), uses: appQueues.api, observe });
  const stores = createStores(database, uploadLimitsOf(config), {
    burst: config['enrolment.burst'],
    perMinute: config['enrolment.per_minute'],
  });
  const reader = openReader(config, log, projectDir);
  const onFleetChange = () => stores.fleet.noteChange();
  const context: ApiContext = {
    settings: apiSettingsOf(config, projectDir),
    database,
    stores,
    queue,
    reader,
    scripts,
    dashboard,
    events: createEventHub({ database, logger: log, clock, limits: eventHubLimits, onFleetChange }),
    collectorKeeper: createCollectorKeeper(stores.collectors, scripts.collector),
    pendingMigrations: () => findPendingMigrations(database, path.join(projectDir, 'prisma', 'migrations')),
    certificate,
    metrics,
    logger: log,
    clock,
  };
  return {
    context,
    async closeReads() {
      await certificate?.stop();
      await reader.stop();
    },
    async close() {
      await queue.close();
      await database.close();
    },
  };
}

function openApiDatabase(config: ApiConfig, log: Logger): Database {
  return openDatabase({
    databaseUrl: config['database.url'],
    poolSize: config['database.pool_size'],
    applicationName: 'plimsoll api',
    statementLimitMs,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
}

function openReader(config: ApiConfig, log: Logger, projectDir: string): Reader {
  const settings = {
    databaseUrl: config['database.url'],
    poolSize: config['database.pool_size'],
    statementLimitMs,
  };
  return createReader(threadFile(projectDir, 'serving/read-thread.js'), settings, log);
}
