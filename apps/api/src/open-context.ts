import path from 'node:path';
import type { HostFilters } from '@plimsoll/db';
import type { HostScope } from '@plimsoll/model';
import { type Logger, uploadLimitsOf } from '@plimsoll/process';
import {
  type ApiConfig,
  type ApiEnvironment,
  apiSettingsOf,
  statementLimitMs,
  threadFile,
} from './api-config.ts';
import { tokenSecrets } from './auth/user-tokens.ts';
import type { ApiContext } from './context.ts';
import { readDashboard } from './dashboard/read-dashboard.ts';
import { createEventHub, eventHubLimits } from './events/event-hub.ts';
import { createReader, type Reader } from './reads/reader.ts';
import { createCollectorKeeper } from './scripts/collector-keeper.ts';
import { readHostScripts } from './scripts/host-scripts.ts';
import { createStores } from './stores.ts';
import { certificateFilesOf, keepCertificate } from './tls/kept-certificate.ts';

/** The dependencies of a running API. */
export interface OpenContext {
  readonly context: ApiContext;
  /** Stops the readers of requests. No request is served afterwards. */
  closeReads(): Promise<void>;
}

/** Reads the files and opens the other resources of requests. Rejects if agent or dashboard are not built. */
export async function openContext(environment: ApiEnvironment): Promise<OpenContext> {
  const { config, db: database, schema, queue, metrics, log, projectDir } = environment;
  const scripts = await readHostScripts(path.join(projectDir, 'apps', 'agent', 'dist'));
  const dashboard = await readDashboard(path.join(projectDir, 'apps', 'dashboard', 'dist'));
  const clock = () => new Date();
  const files = certificateFilesOf(config);
  const certificate = files === null ? null : await keepCertificate(files, { log, metrics, clock });
  const reader = openReader(config, log, projectDir);
  const own = createStores(database, uploadLimitsOf(config), {
    burst: config['enrolment.burst'],
    perMinute: config['enrolment.per_minute'],
  });
  // One thread has the hosts in memory.
  const stores = {
    ...own,
    fleet: { ...own.fleet, summarise: (scope: HostScope) => reader.ask('summarise', { scope }) },
    hosts: {
      ...own.hosts,
      select: (scope: HostScope, filters: HostFilters, most: number) =>
        reader.ask('select', { scope, filters, most }),
    },
  };
  const context: ApiContext = {
    settings: apiSettingsOf(config, projectDir),
    database,
    stores,
    queue,
    reader,
    scripts,
    dashboard,
    events: createEventHub({ database, logger: log, limits: eventHubLimits }),
    collectorKeeper: createCollectorKeeper(stores.collectors, scripts.collector),
    schema,
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
  };
}

function openReader(config: ApiConfig, log: Logger, projectDir: string): Reader {
  const settings = {
    databaseUrl: config['database.url'],
    poolSize: config['database.pool_size'],
    statementLimitMs,
    tokenSecrets: tokenSecrets(config['api.jwt_secret_key'], config['api.jwt_secret_key_previous']),
  };
  return createReader(threadFile(projectDir, 'serving/read-thread.js'), settings, log);
}
