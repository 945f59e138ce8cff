import path from 'node:path';
import { ConfigError, type ConfigWith, readConfig, type SettingKey } from '@plimsoll/config';
import {
  createSchemaCheck,
  type Database,
  isDatabaseAway,
  openDatabase,
  type SchemaCheck,
} from '@plimsoll/db';
import type { ServiceApp } from '@plimsoll/model';
import { appQueues, isQueueAway, type JobQueue, type Jobs, jobs, openQueue } from '@plimsoll/queue';
import { keepHeartbeat } from './keep-heartbeat.ts';
import { limitHeapGrowth } from './limit-heap-growth.ts';
import { createLogger, type Logger } from './logger.ts';
import { createProcessMetrics, type Metrics } from './metrics.ts';
import { queueBackendOf } from './queue-backend.ts';
import { createQueueObserver } from './queue-observer.ts';
import { type RunningApp, runApp } from './run-app.ts';
import { countDatabaseErrors, registerSurroundings } from './surroundings.ts';
import { warnOfPower } from './warn-of-power.ts';
import { watchSchema } from './watch-schema.ts';

/** The environment of an app's own code; its settings `R` are set. */
export interface ProcessEnvironment<R extends SettingKey = never> {
  readonly config: ConfigWith<R | 'database.url'>;
  readonly db: Database;
  /** Whether the database has this program's schema. */
  readonly schema: SchemaCheck;
  readonly queue: JobQueue<Jobs>;
  readonly metrics: Metrics;
  readonly log: Logger;
  /** Absolute folder of the project. */
  readonly projectDir: string;
}

/** The parameters of an app's process. */
export interface ProcessOptions<R extends SettingKey = never> {
  readonly app: ServiceApp;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The running bundle, `<project>/apps/<app>/dist/main.js`. */
  readonly mainFile: string;
  /** Settings that the app requires, besides `database.url`. */
  readonly required?: readonly R[];
  /** Time limit of one database statement, in milliseconds; absent: no limit. */
  readonly statementLimitMs?: number;
  /** Starts the app's work. `stop` of its result ends the work; database and queue are open until then. */
  readonly start: (environment: ProcessEnvironment<R>) => Promise<RunningApp>;
}

/**
 * Runs the process of an app: reads the configuration, opens log, database and queue, starts the work, keeps
 * a heartbeat while it runs, and closes all of them in reverse order. Does no work on a schema that a newer program made.
 * Writes the mistakes of an invalid configuration to standard error and sets the exit code 1.
 */
export async function runProcess<R extends SettingKey = never>(options: ProcessOptions<R>): Promise<void> {
  limitHeapGrowth();
  const projectDir = path.resolve(path.dirname(options.mainFile), '../../..');
  const config = await readProcessConfig(options, projectDir);
  if (config === null) return;
  const log = createLogger({
    app: options.app,
    level: config['log.level'],
    isOutage: (error) => isDatabaseAway(error) || isQueueAway(error),
  });
  await runApp({ log, start: () => startProcess(options, { config, log, projectDir }) });
}

async function readProcessConfig<R extends SettingKey>(
  { env, required = [] }: ProcessOptions<R>,
  projectDir: string,
): Promise<ConfigWith<R | 'database.url'> | null> {
  try {
    return await readConfig<R | 'database.url'>({
      env,
      configPath: null,
      projectDir,
      required: [...required, 'database.url'],
    });
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exitCode = 1;
    return null;
  }
}

async function startProcess<R extends SettingKey>(
  { app, statementLimitMs, start }: ProcessOptions<R>,
  known: Pick<ProcessEnvironment<R>, 'config' | 'log' | 'projectDir'>,
): Promise<RunningApp> {
  const { log } = known;
  const config: ConfigWith<'database.url'> = known.config;
  const metrics = createProcessMetrics();
  const db = openDatabase({
    databaseUrl: config['database.url'],
    poolSize: config['database.pool_size'],
    applicationName: `plimsoll ${app}`,
    ...(statementLimitMs === undefined ? {} : { statementLimitMs }),
    onIdleError: (err) => log.warn({ err }, 'idle database connection lost'),
    onError: countDatabaseErrors(metrics),
  });
  registerSurroundings(metrics, { app, config, db });
  const schema = createSchemaCheck(db, path.join(known.projectDir, 'prisma'));
  const watch = await watchSchema(schema, log);
  const queue = await openQueue(jobs, {
    backend: queueBackendOf(config),
    uses: appQueues[app],
    observe: createQueueObserver(log, metrics),
  });
  const work = await start({ ...known, db, schema, queue, metrics });
  void warnOfPower(db, log);
  const heartbeat = keepHeartbeat(app, db, log);
  return {
    async stop() {
      await work.stop();
      await queue.close();
      await heartbeat.stop();
      await watch.stop();
      await db.close();
    },
  };
}
