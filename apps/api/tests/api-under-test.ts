import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSchemaCheck } from '@plimsoll/db';
import { createMetrics } from '@plimsoll/process';
import { jobs, openQueue } from '@plimsoll/queue';
import { createKeyFiles, type KeyFilePaths } from '@plimsoll/secrets';
import { createTestDatabase, startedPer, type TestDatabase, testHostScripts } from '@plimsoll/testing';
import type { CertificateFiles } from '@plimsoll/tls';
import { loginLimits } from '../src/auth/login-limits.ts';
import type { ApiContext, ApiSettings } from '../src/context.ts';
import { createApp } from '../src/create-app.ts';
import { readDashboard } from '../src/dashboard/read-dashboard.ts';
import { createEventHub, type EventHubLimits, eventHubLimits } from '../src/events/event-hub.ts';
import { largeReadWaiting } from '../src/reads/large-reads.ts';
import { createCollectorKeeper } from '../src/scripts/collector-keeper.ts';
import { readHostScripts } from '../src/scripts/host-scripts.ts';
import { createHttpServer, createHttpsServer } from '../src/server/http-server.ts';
import { createStores } from '../src/stores.ts';
import { keepCertificate } from '../src/tls/kept-certificate.ts';
import { type CheckedClient, createCheckedClient, type UserClient, userClient } from './checked-client.ts';
import { createTestLogger, type TestLogger } from './test-logger.ts';

export const adminEmail = 'admin@example.org';
export const adminPassword = 'correct horse battery staple';
export const jwtSecretKey = 'a secret for tests, more than 32 bytes long';

const schemaDir = path.resolve(__dirname, '../../../prisma');

/** The API of one test file: real database, real queue, a listening server. */
export interface ApiUnderTest extends CheckedClient {
  /** Requests of its first user, an admin, once that is set up. */
  readonly admin: UserClient;
  readonly database: TestDatabase;
  readonly context: ApiContext;
  readonly server: Server;
  readonly url: string;
  readonly log: TestLogger;
  /** The key that private SSH keys are sealed to, and its private half, which the API never reads. */
  readonly sealingKeys: KeyFilePaths;
  stop(): Promise<void>;
}

/** Starts the API on a fresh database, with TLS if it gets a certificate; bcrypt uses its lowest cost. */
export async function startApi(
  settings: Partial<ApiSettings> = {},
  clock = () => new Date(),
  eventLimits: Partial<EventHubLimits> = {},
  certificateFiles: CertificateFiles | null = null,
): Promise<ApiUnderTest> {
  const database = await createTestDatabase();
  const db = database.as('api');
  const log = createTestLogger();
  const queue = await openQueue(jobs, {
    backend: { kind: 'postgres', url: database.urlOf('api') },
    observe: (event) => log.logger.debug(event, 'queue event'),
  });
  const keyFolder = await mkdtemp(path.join(tmpdir(), 'plimsoll-keys-'));
  const sealingKeys = await createSealingKeys(keyFolder);
  const stores = createStores(db);
  const scripts = await readHostScripts(testHostScripts());
  const limits = { ...eventHubLimits, pauseMs: 100, longPauseMs: 500, ...eventLimits };
  const events = createEventHub({
    database: db,
    logger: log.logger,
    limits,
  });
  const metrics = createMetrics();
  const certificate =
    certificateFiles === null
      ? null
      : await keepCertificate(certificateFiles, { log: log.logger, metrics, clock });
  const context: ApiContext = {
    settings: {
      secondFactorRoles: [],
      reauthenticateMinutes: 10,
      jwtSecretKey,
      previousJwtSecretKey: null,
      tokenLifetimeMinutes: 60,
      sessionIdleMinutes: 60,
      sessionLifetimeMinutes: 600,
      accessTokenSeconds: 600,
      setupCode: null,
      oidc: null,
      publicUrl: null,
      securityContact: null,
      trustedProxies: [],
      reportIntervalSeconds: 3600,
      hstsDays: 30,
      metricsToken: null,
      hostTokenDays: 30,
      clientNameHeader: null,
      manualStaleAfterSeconds: 30 * 24 * 3600,
      sealingPublicKeyFile: sealingKeys.publicKeyFile,
      mailDomains: [],
      loginLimits: {
        ...loginLimits,
        failuresPerPair: 1000,
        failuresPerAddress: 1000,
        failuresPerAccount: 1000,
      },
      largeReadLimits: { atOnce: 16, perUser: 4, ...largeReadWaiting },
      channelTestSeconds: 1,
      passwordCost: 4,
      queueBackend: { kind: 'postgres', url: '' },
      dataDir: __dirname,
      downloadDir: path.join(__dirname, 'missing'),
      uploadThreadFile: path.resolve(__dirname, '../dist/uploads/upload-thread.js'),
      ...settings,
    },
    database: db,
    stores,
    queue,
    reader: null,
    scripts,
    events,
    dashboard: await readDashboard(path.resolve(__dirname, '../testdata/dashboard')),
    collectorKeeper: createCollectorKeeper(stores.collectors, scripts.collector),
    schema: createSchemaCheck(db, schemaDir),
    certificate,
    metrics,
    logger: log.logger,
    clock,
  };
  const app = createApp(context);
  const server = certificate === null ? createHttpServer(app) : createHttpsServer(app, certificate);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // listens on TCP
  const client = createCheckedClient(server);
  return {
    ...client,
    admin: userClient(client),
    database,
    context,
    server,
    url: `${certificate === null ? 'http' : 'https'}://127.0.0.1:${port}`,
    log,
    sealingKeys,
    async stop() {
      await events.close();
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      await certificate?.stop();
      await queue.close();
      await database.drop();
      await rm(keyFolder, { recursive: true });
    },
  };
}

/** The API of all tests of a file, with its first user. */
export function apiPerFile(start: () => Promise<ApiUnderTest> = startApi): ApiUnderTest {
  return emptyApiPer('file', () => withAdmin(start));
}

/** A new API for each test, with its first user. */
export function apiPerTest(start: () => Promise<ApiUnderTest> = startApi): ApiUnderTest {
  return emptyApiPer('test', () => withAdmin(start));
}

/** An API without users. */
export function emptyApiPer(
  scope: 'file' | 'test',
  start: () => Promise<ApiUnderTest> = startApi,
): ApiUnderTest {
  return startedPer(scope, start, (api) => api.stop());
}

/** An API with its first user. */
export async function withAdmin(start: () => Promise<ApiUnderTest> = startApi): Promise<ApiUnderTest> {
  const api = await start();
  await setUp(api);
  return api;
}

/** Makes both key files in a folder. */
async function createSealingKeys(folder: string): Promise<KeyFilePaths> {
  const paths = {
    keysFile: path.join(folder, 'sealing.keys'),
    publicKeyFile: path.join(folder, 'sealing.pub'),
  };
  await createKeyFiles(paths);
  return paths;
}

/** Creates the first user and signs in, from then on as `api.admin`. */
export async function setUp(api: ApiUnderTest): Promise<string> {
  const answer = await api.post('/api/v1/setup/complete', {
    json: { email: adminEmail, password: adminPassword, name: 'Ada' },
  });
  expect(answer.status).toBe(201);
  api.admin.token = answer.body.token;
  return api.admin.token;
}

/** An enrolled host. */
export interface EnrolledHost {
  readonly id: string;
  readonly token: string;
}

/** The machine id that a host with this name enrols with and reports. */
export function machineIdOf(hostname: string): string {
  return createHash('md5').update(hostname).digest('hex');
}

/** Enrols a host with its own registration token. */
export async function enrol(
  api: ApiUnderTest,
  host: { readonly hostname?: string; readonly machineId?: string; readonly autoApprove?: boolean } = {},
): Promise<EnrolledHost> {
  const issued = await api.admin.post('/api/v1/registration-tokens', {
    json: { name: 'test', auto_approve: host.autoApprove ?? true },
  });
  expect(issued.status).toBe(201);
  const hostname = host.hostname ?? 'web-1.example.org';
  const answer = await api.post('/api/v1/agent/register', {
    json: {
      registration_token: issued.body.token,
      hostname,
      machine_id: host.machineId ?? machineIdOf(hostname),
      metadata: { ip_address: '192.0.2.7', os_name: 'debian', os_version: '12.8', architecture: 'amd64' },
    },
  });
  expect(answer.status).toBe(201);
  return { id: answer.body.host_id, token: answer.body.host_access_token };
}
