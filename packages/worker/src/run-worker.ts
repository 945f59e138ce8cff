import path from 'node:path';
import { type Config, ConfigError, readConfig } from '@plimsoll/config';
import { type Database, openDatabase, pingDatabase } from '@plimsoll/db';
import {
  createLogger,
  createMetrics,
  type Logger,
  type Metrics,
  type RunningApp,
  runApp,
  serveHealth,
} from '@plimsoll/observability';
import { appQueues, type JobQueue, jobs, openQueue } from '@plimsoll/queue';
import { keepHeartbeat } from './keep-heartbeat.ts';
import { queueBackendOf } from './queue-backend.ts';
import { createQueueObserver } from './queue-observer.ts';
import { warnOfPower } from './warn-of-power.ts';

/** How long the queue may take to answer a health check, milliseconds. */
const pingLimitMs = 2_000;

/** What a worker's own code is given. */
export interface WorkerEnvironment {
  readonly config: Config;
  readonly db: Database;
  readonly queue: JobQueue<typeof jobs>;
  readonly metrics: Metrics;
  readonly log: Logger;
}

/**
 * The whole process of a worker app: configuration, log, database, queue, health, and the life of all of them. `start`
 * begins the work and answers how to stop it; the queue's consumers are stopped without being asked to.
 */
export async function runWorker(options: {
  readonly app: keyof typeof appQueues;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The bundle that runs, `<project>/apps/<app>/dist/main.js`. */
  readonly mainFile: string;
  readonly start: (environment: WorkerEnvironment) => Promise<RunningApp>;
}): Promise<void> {
  const config = await readWorkerConfig(options.env, options.mainFile);
  if (config === null) return;
  const log = createLogger({ app: options.app, level: config['log.level'] });
  await runApp({ log, start: () => startWorker(options.app, config, log, options.start) });
}

type WorkerConfig = Config & { readonly 'database.url': string };

/** Null after telling what is wrong with it: nothing can run then. */
async function readWorkerConfig(
  env: Readonly<Record<string, string | undefined>>,
  mainFile: string,
): Promise<WorkerConfig | null> {
  try {
    const projectDir = path.resolve(path.dirname(mainFile), '../../..');
    return await readConfig({ env, configPath: null, projectDir, required: ['database.url'] });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return null;
  }
}

async function startWorker(
  app: keyof typeof appQueues,
  config: WorkerConfig,
  log: Logger,
  start: (environment: WorkerEnvironment) => Promise<RunningApp>,
): Promise<RunningApp> {
  const metrics = createMetrics();
  const db = openDatabase({
    databaseUrl: config['database.url'],
    poolSize: config['database.pool_size'],
    applicationName: `plimsoll ${app}`,
    onIdleError: (err) => log.warn({ err }, 'idle database connection lost'),
  });
  const queue = await openQueue(jobs, {
    backend: queueBackendOf(config),
    uses: appQueues[app],
    observe: createQueueObserver(log, metrics),
  });
  const port = config['worker.health_port'];
  const health =
    port === null
      ? null
      : await serveHealth({
          host: config['worker.health_host'],
          port,
          metrics,
          isHealthy: async () => {
            await Promise.all([pingDatabase(db), queue.ping(pingLimitMs)]);
          },
        });
  void warnOfPower(db, log);
  const heartbeat = keepHeartbeat(app, db, log);
  const work = await start({ config, db, queue, metrics, log });
  return {
    async stop() {
      await work.stop();
      await queue.close();
      await health?.close();
      await heartbeat.stop();
      await db.close();
    },
  };
}
