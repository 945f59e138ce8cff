import { once } from 'node:events';
import path from 'node:path';
import { ownFilesOf } from '@plimsoll/advisories';
import type { ConfigWith } from '@plimsoll/config';
import {
  createAdvisoryViews,
  createAssessmentStore,
  createAuditStore,
  createCollectorStore,
  createCveHostStore,
  createCveStore,
  createEnrolmentStore,
  createExplainStore,
  createFeedStore,
  createFleetStore,
  createHostHistory,
  createHostStore,
  createImportStore,
  createInstanceStore,
  createPullJobStore,
  createRegistrationTokenStore,
  createRepositoryStore,
  createSnapshotStore,
  createSshHostStore,
  createSshKeyStore,
  createUploadAllowances,
  createUploadStore,
  createUserStore,
  type Database,
  defaultEnrolmentLimits,
  defaultUploadLimits,
  type EnrolmentLimits,
  findPendingMigrations,
  openDatabase,
  type UploadLimits,
} from '@plimsoll/db';
import { createMetrics, type Logger, type RunningApp } from '@plimsoll/observability';
import { appQueues, jobs, openQueue } from '@plimsoll/queue';

import {
  createQueueObserver,
  keepHeartbeat,
  queueBackendOf,
  uploadLimitsOf,
  warnOfPower,
} from '@plimsoll/worker';
import { keepReachCounted } from './advisories/keep-reach-counted.ts';
import { loginLimits } from './auth/login-limiter.ts';
import { passwordCost } from './auth/passwords.ts';
import { warnOfOpenSetup } from './auth/warn-of-open-setup.ts';
import { limitsOfConfig, openFileLimit } from './connections/limits-of-config.ts';
import { countDropped, registerConnections } from './connections/watch-connections.ts';
import type { ApiStores } from './context.ts';
import { createApp } from './create-app.ts';
import { readDashboard } from './dashboard/read-dashboard.ts';
import { createEventHub, eventHubLimits } from './events/event-hub.ts';
import { closeHttpServer } from './http/close-http-server.ts';
import { createHttpServer, createHttpsServer } from './http/http-server.ts';
import { largeReadWaiting } from './reads/large-reads.ts';
import { readHostScripts } from './scripts/host-scripts.ts';
import { createCollectorKeeper, keepFromStart } from './ssh/collector-keeper.ts';
import { certificateFilesOf, keepCertificate } from './tls/kept-certificate.ts';

/** The settings the API cannot work without. */
export type ApiConfig = ConfigWith<'api.jwt_secret_key' | 'database.url'>;

/** No request waits longer for one statement, however the database does; milliseconds. */
const statementLimitMs = 30_000;
/** Connections that the system may hold for us until we take them: a fleet that comes back comes at once. */
const backlog = 4_096;

/**
 * Opens the database and the queue and listens. Rejects when agent or dashboard were not built, the certificate cannot be
 * used or the address cannot be listened on.
 */
export async function startApi(config: ApiConfig, log: Logger, projectDir: string): Promise<RunningApp> {
  const scripts = await readHostScripts(path.join(projectDir, 'apps', 'agent', 'dist'));
  const dashboard = await readDashboard(path.join(projectDir, 'apps', 'dashboard', 'dist'));
  const metrics = createMetrics();
  const clock = () => new Date();
  const files = certificateFilesOf(config);
  const certificate = files === null ? null : await keepCertificate(files, { log, metrics, clock });
  const database = openDatabase({
    databaseUrl: config['database.url'],
    poolSize: config['database.pool_size'],
    applicationName: 'plimsoll api',
    statementLimitMs,
    onIdleError: (error) => log.warn({ err: error }, 'database connection lost'),
  });
  const queue = await openQueue(jobs, {
    backend: queueBackendOf(config),
    uses: appQueues.api,
    observe: createQueueObserver(log, metrics),
  });
  const stores = createStores(database, uploadLimitsOf(config), {
    burst: config['enrolment.burst'],
    perMinute: config['enrolment.per_minute'],
  });
  const events = createEventHub({
    database,
    logger: log,
    clock,
    limits: eventHubLimits,
    onFleetChange: () => stores.fleet.noteChange(),
  });
  const collectorKeeper = createCollectorKeeper(stores.collectors, scripts.collector);
  const app = createApp({
    settings: {
      jwtSecretKey: config['api.jwt_secret_key'],
      tokenLifetimeMinutes: config['api.token_lifetime_minutes'],
      setupCode: config['api.setup_code'],
      publicUrl: config['api.public_url'],
      trustedProxies: config['api.trusted_proxies'],
      reportIntervalSeconds: config['agent.report_interval_seconds'],
      manualStaleAfterSeconds: config['hosts.manual_stale_days'] * 24 * 3600,
      sealingPublicKeyFile: config['ssh.sealing_public_key_file'],
      ownFeedFiles: ownFilesOf(config['feeds.urls']),
      loginLimits,
      largeReadLimits: {
        atOnce: config['api.large_reads'],
        perUser: config['api.large_reads_per_user'],
        ...largeReadWaiting,
      },
      passwordCost,
      queueBackend: queueBackendOf(config).kind,
      uploadThreadFile: path.join(projectDir, 'apps', 'api', 'dist', 'uploads', 'upload-thread.js'),
    },
    database,
    stores,
    queue,
    scripts,
    dashboard,
    events,
    collectorKeeper,
    pendingMigrations: () => findPendingMigrations(database, path.join(projectDir, 'prisma', 'migrations')),
    certificate,
    metrics,
    logger: log,
    clock,
  });
  const limits = limitsOfConfig(config, await openFileLimit());
  const settings = { limits, onDropped: countDropped(metrics, log) };
  const server =
    certificate === null ? createHttpServer(app, settings) : createHttpsServer(app, certificate, settings);
  registerConnections(metrics, server, limits.most);
  server.listen({ host: config['api.host'], port: config['api.port'], backlog });
  await once(server, 'listening');
  const place = { host: config['api.host'], port: config['api.port'], tls: certificate !== null };
  log.info({ ...place, mostConnections: limits.most }, 'api listens');
  void warnOfPower(database, log);
  const heartbeat = keepHeartbeat('api', database, log);
  const stopping = new AbortController();
  const kept = keepFromStart(collectorKeeper, log, stopping.signal);
  const counted = keepReachCounted(stores.advisoryViews, log, stopping.signal);
  const warned = warnOfOpenSetup({ config, users: stores.users, log, signal: stopping.signal });
  return {
    async stop() {
      stopping.abort();
      // Streams have no end of their own that could be waited for.
      await events.close();
      await closeHttpServer(server);
      await certificate?.stop();
      await kept;
      await counted;
      await warned;
      await queue.close();
      await heartbeat.stop();
      await database.close();
    },
  };
}

/** Every store of the API, on one database. */
export function createStores(
  database: Database,
  uploadLimits: UploadLimits = defaultUploadLimits,
  enrolmentLimits: EnrolmentLimits = defaultEnrolmentLimits,
): ApiStores {
  return {
    users: createUserStore(database),
    registrationTokens: createRegistrationTokenStore(database),
    enrolments: createEnrolmentStore(database, enrolmentLimits),
    hosts: createHostStore(database),
    uploads: createUploadStore(database, uploadLimits),
    uploadAllowances: createUploadAllowances(database, uploadLimits),
    repositories: createRepositoryStore(database),
    snapshots: createSnapshotStore(database),
    assessments: createAssessmentStore(database),
    advisoryViews: createAdvisoryViews(database),
    explanations: createExplainStore(database),
    cves: createCveStore(database),
    cveHosts: createCveHostStore(database),
    feeds: createFeedStore(database),
    fleet: createFleetStore(database),
    history: createHostHistory(database),
    imports: createImportStore(database),
    sshHosts: createSshHostStore(database),
    sshKeys: createSshKeyStore(database),
    pullJobs: createPullJobStore(database),
    collectors: createCollectorStore(database),
    audit: createAuditStore(database),
    instances: createInstanceStore(database),
  };
}
