import { access } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Config, configEnvironment } from '@plimsoll/config';
import { endLeftovers, recordProcess } from '@plimsoll/embedded';
import { isLoopbackHost, mallocSettings, withoutCredentials } from '@plimsoll/model';
import type { BackupSchedule } from '../backup/run-backups.ts';
import { explain, sentenceFor, stackOf } from '../explain.ts';
import { localApiUrl, requireApiAddress, shownApiUrl } from './api-address.ts';
import { type AppAccount, appAccounts } from './app-accounts.ts';
import { type AppSpec, forNoApp } from './app-specs.ts';
import { awaitDiskSpace, isForWantOfSpace } from './await-disk-space.ts';
import { awaitReadiness, isSetupWaiting } from './await-readiness.ts';
import { type CleanupStack, cleanupStack } from './cleanup-stack.ts';
import { findHealthPorts, type HealthPorts } from './health-ports.ts';
import type { AppDatabaseUrls } from './migrate-service.ts';
import { nodeWarning } from './node-warning.ts';
import { type DataFolder, openDataFolder } from './open-data-folder.ts';
import { announceServer } from './running-database.ts';
import { type BackingServices, startBackingServices } from './start-backing-services.ts';
import { StartError } from './start-error.ts';
import { type SupervisedApp, superviseApp, type UnexpectedEnd } from './supervise-app.ts';
import { inspectAddress, watchBundle } from './watch-bundle.ts';
import { watchDisk } from './watch-disk.ts';
import type { Interrupts } from './watch-interrupts.ts';
import { whenAborted } from './when-aborted.ts';

/** Time for apps to finish work in progress when the service stops. */
const graceMs = 10_000;
/** The same for an app whose bundle has changed: shorter, because the developer waits for the new one. */
const changedGraceMs = 1_000;
/** Time between two starts on a full disk, which can have space by the measure but not for this user. */
const restartPauseMs = 5_000;

/** The parts of the service. */
export interface ServiceOptions {
  readonly config: Config;
  /** The environment that apps inherit, besides the configuration. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly projectDir: string;
  /** The first one is the API. */
  readonly apps: readonly AppSpec[];
  /** For development: restarts an app when its bundle changes, and opens a port for a debugger in each. */
  readonly watch: boolean;
  /**
   * Brings the database up to date and returns the database URL of each app and of `cli`. `databaseHome` is the folder of a
   * private database, null for another.
   */
  readonly migrate: (
    databaseUrl: string,
    dataDir: string,
    databaseHome: string | null,
  ) => Promise<AppDatabaseUrls>;
  /** Backs up by schedule until `stop`, if backup.dir is set. */
  readonly backUp: (
    schedule: Pick<BackupSchedule, 'databaseUrl' | 'config' | 'folder' | 'stop'>,
  ) => Promise<void>;
  readonly interrupts: Interrupts;
  /** Prints a line for the user. */
  readonly say: (line: string) => void;
  /** Prints a warning that does not end the service. */
  readonly warn: (line: string) => void;
}

/**
 * Runs the whole service on a data folder until it is interrupted: a private database and Redis if none are configured,
 * migrations, then the apps. Always stops everything in reverse order. Waits for space on a full disk. Throws StartError and EmbeddedError with a
 * sentence for the user.
 */
export async function runService(options: ServiceOptions): Promise<void> {
  while (!(await runOnce(options))) {
    // Rejects only when it is interrupted, which the next round checks.
    await delay(restartPauseMs, undefined, { signal: options.interrupts.stop }).catch(() => undefined);
  }
}

/** Runs the service; returns false if it ended because a disk is full and is to be started again. */
async function runOnce(options: ServiceOptions): Promise<boolean> {
  const cleanup = cleanupStack();
  const { interrupts, config, warn } = options;
  let folder: DataFolder | null = null;
  try {
    await awaitDiskSpace(config.data_dir, { warn, stop: interrupts.stop });
    if (interrupts.stop.aborted) return true;
    folder = await openDataFolder(config.data_dir, cleanup, warn);
    // A second Ctrl-C does not wait for a running step of the start.
    await Promise.race([serve(options, folder, cleanup), whenAborted(interrupts.hurry)]);
    return true;
  } catch (error) {
    if (interrupts.stop.aborted) return true;
    const described = withSentence(error, folder);
    if (!(await isForWantOfSpace(error, config.data_dir))) throw described;
    warn(`${explain(described)} Plimsoll starts again when there is space.`);
    return false;
  } finally {
    for (const failure of await cleanup.run()) options.warn(`Stopping: ${String(failure)}`);
  }
}

/** Writes an error's stack to the log; returns an error with a sentence for the user. */
function withSentence(error: unknown, folder: DataFolder | null): unknown {
  if (folder === null) return error;
  folder.writeEvent({ event: 'failed', stack: withoutCredentials(stackOf(error)) });
  if (sentenceFor(error) !== null) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new StartError(
    `Plimsoll ended because of an unexpected error: ${withoutCredentials(message)}. Its stack is in ${folder.logsFolder}/plimsoll.log.`,
    { cause: error },
  );
}

async function serve(options: ServiceOptions, folder: DataFolder, cleanup: CleanupStack): Promise<void> {
  const { config, interrupts, warn } = options;
  const { dataDir, logsFolder, openNamedLog, writeEvent } = folder;
  const recordsFolder = path.join(dataDir, 'processes');
  const leftovers = (await endLeftovers(recordsFolder)).map(({ name, pid }) => `${name} (process ${pid})`);
  if (leftovers.length > 0) warn(`Ended what an earlier start had left running: ${leftovers.join(', ')}.`);
  await requireApiAddress(config);
  const shownUrl = await shownApiUrl(config);
  await requireBuiltApps(options.apps);

  const broken = new AbortController();
  const backing = await startBackingServices({
    config: {
      ...config,
      data_dir: dataDir,
      'feeds.download_dir': config['feeds.download_dir'] ?? path.join(dataDir, 'downloads'),
    },
    searchPath: options.env['PATH'] ?? '',
    cleanup,
    openLog: openNamedLog,
    onServerEnd: (server, how) =>
      broken.abort(new StartError(`${server} ended with ${how}. Its log is in ${logsFolder}.`)),
    onDiskFull: (server, full) =>
      warn(
        `${server} has ended because the disk of ${full} is full. It is started again when there is space.`,
      ),
    stop: interrupts.stop,
    warn,
  });
  if (interrupts.stop.aborted) return;
  const urlOf = await options.migrate(backing.databaseUrl, dataDir, backing.databaseHome);
  const redisUrl = config['redis.url'] === null ? backing.redisUrlOf('report-worker') : null;
  const announced = [
    ...(backing.databaseHome === null ? [] : [await announceServer(dataDir, 'database', urlOf('cli'))]),
    ...(redisUrl === null ? [] : [await announceServer(dataDir, 'redis', redisUrl)]),
  ];
  for (const { withdraw } of announced) cleanup.add(withdraw);
  if (interrupts.stop.aborted) return;

  const { apps, projectDir } = options;
  const accountOf = await appAccounts({ apps, config: backing.config, dataDir, projectDir });
  const healthPorts = await findHealthPorts(
    config,
    apps.map(({ name }) => name),
  );
  const warnings = [
    ...[nodeWarning(process.versions.node, new Date())].filter((warning) => warning !== null),
    ...rootWarnings(apps, accountOf, backing.redisRootReason),
    ...healthPorts.warnings,
  ];
  const api = startApps(options, folder, { backing, urlOf, accountOf, healthPorts, recordsFolder }, cleanup);
  const url = localApiUrl(config);
  await Promise.race([
    awaitReadiness({
      url,
      api,
      logsFolder,
      requireAddress: () => requireApiAddress(config),
      stop: interrupts.stop,
    }),
    whenAborted(broken.signal),
  ]);
  if (!interrupts.stop.aborted && !broken.signal.aborted) {
    cleanup.add(watchDisk(dataDir, warn));
    cleanup.add(startBackups(options, backing));
    await folder.announce(url);
    writeEvent({
      event: 'ready',
      url,
      database: backing.databaseServer,
      queue: backing.queueWords,
      healthPorts: healthPorts.of,
    });
    for (const warning of warnings) writeEvent({ event: 'warning', warning });
    await introduce(options, {
      url: shownUrl,
      api: url,
      dataDir,
      logsFolder,
      database: backing.databaseHome,
      server: backing.databaseServer,
      queue: backing.queueWords,
      warnings,
    });
    await Promise.race([whenAborted(interrupts.stop), whenAborted(broken.signal)]);
  }
  if (broken.signal.aborted) throw broken.signal.reason;
}

function startApps(
  { apps, env, projectDir, warn, interrupts, watch, say }: ServiceOptions,
  { openNamedLog, writeEvent }: DataFolder,
  {
    backing,
    urlOf,
    accountOf,
    healthPorts,
    recordsFolder,
  }: {
    readonly backing: BackingServices;
    readonly urlOf: AppDatabaseUrls;
    readonly accountOf: (app: AppSpec) => AppAccount;
    readonly healthPorts: HealthPorts;
    readonly recordsFolder: string;
  },
  cleanup: CleanupStack,
): SupervisedApp {
  const onUnexpectedEnd = (end: UnexpectedEnd): void => {
    writeEvent({ event: 'app ended', ...end });
    if (end.failures === 3)
      warn(`${end.app} has ended ${end.failures} times in a row and is started again. See its log.`);
  };
  const supervised = apps.map((app, index) => {
    const { name, entry, withheld } = app;
    return superviseApp({
      name,
      entry,
      cwd: projectDir,
      account: accountOf(app).account,
      inspect: watch ? inspectAddress(index) : null,
      env: {
        NODE_ENV: 'production',
        ...mallocSettingsIn(env),
        ...configEnvironment(
          {
            ...backing.config,
            'database.url': urlOf(name),
            'redis.url': backing.redisUrlOf(name),
            'worker.health_port': healthPorts.of[name] ?? null,
          },
          env,
          [...forNoApp, ...withheld],
        ),
      },
      onStart: (pid) => {
        recordProcess(recordsFolder, name, pid).catch((error: unknown) =>
          writeEvent({ event: 'process not recorded', app: name, pid, error: String(error) }),
        );
      },
      onOutput: openNamedLog(name).write,
      onUnexpectedEnd,
    });
  });
  cleanup.add(async () => {
    await Promise.all(supervised.map((app) => app.stop(graceMs, interrupts.hurry)));
  });
  if (watch) {
    for (const [index, app] of supervised.entries()) {
      const { entry = '' } = apps[index] ?? {};
      cleanup.add(watchBundle(path.dirname(entry), () => restartChanged(app, say)));
    }
  }
  const [api] = supervised;
  if (api === undefined) throw new StartError('There is no app to start.');
  return api;
}

/** Starts backups by schedule, if there is a folder for them. The result stops them. */
function startBackups(
  { backUp }: ServiceOptions,
  { databaseUrl, config }: BackingServices,
): () => Promise<void> {
  const folder = config['backup.dir'];
  const stopping = new AbortController();
  const running = folder === null ? null : backUp({ databaseUrl, config, folder, stop: stopping.signal });
  return async () => {
    stopping.abort();
    await running;
  };
}

/** mallocSettings, or what the environment has instead. */
function mallocSettingsIn(env: ServiceOptions['env']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(mallocSettings).map(([name, value]) => [name, env[name] ?? value]),
  );
}

async function restartChanged(app: SupervisedApp, say: (line: string) => void): Promise<void> {
  await app.restart(changedGraceMs);
  say(`${app.name} has changed and runs anew`);
}

interface Introduction {
  readonly url: string;
  readonly api: string;
  readonly dataDir: string;
  readonly logsFolder: string;
  readonly database: string | null;
  readonly server: string | null;
  readonly queue: string;
  readonly warnings: readonly string[];
}

async function introduce(
  { say, warn, config, watch, apps }: ServiceOptions,
  { url, api, dataDir, logsFolder, database, server, queue, warnings }: Introduction,
): Promise<void> {
  say(`Plimsoll is ready: ${url}`);
  if (await isSetupWaiting(api)) {
    say('  Setup is waiting for the first user: open it in a browser, or see README.md');
    if (config['api.setup_code'] !== null) say('  Setup asks for the code of api.setup_code');
    else if (!isLoopbackHost(config['api.host'])) warn(openSetupWarning(config));
    say(
      '  Advisory feeds are fetched once the first host has reported: which ones depends on its distribution',
    );
  }
  const elsewhere = database === null || database.startsWith(dataDir) ? '' : ` (database: ${database})`;
  say(`  Data: ${dataDir}${elsewhere}`);
  if (server !== null) say(`  Database: ${server}`);
  say(`  Queue: ${queue}`);
  if (watch)
    say(`  Debuggers: ${apps.map(({ name }, index) => `${name} ${inspectAddress(index)}`).join(', ')}`);
  say(`  Logs: ${logsFolder}`);
  for (const warning of warnings) say(`  Warning: ${warning}`);
  say('  Stop: Ctrl-C');
}

/** A line for each reason why apps or Redis run as root, with the apps it applies to. */
function rootWarnings(
  apps: readonly AppSpec[],
  accountOf: (app: AppSpec) => AppAccount,
  redisReason: string | null,
): readonly string[] {
  const namesBy = new Map<string, string[]>();
  for (const app of apps) {
    const { reason } = accountOf(app);
    if (reason !== null) namesBy.set(reason, [...(namesBy.get(reason) ?? []), app.name]);
  }
  const whoBy = [...namesBy].map(([reason, names]): [reason: string, who: string] => [
    reason,
    names.length === apps.length
      ? 'every app runs'
      : `${names.join(', ')} ${names.length === 1 ? 'runs' : 'run'}`,
  ]);
  if (redisReason !== null) whoBy.push([redisReason, 'Redis runs']);
  return whoBy.map(
    ([reason, who]) =>
      `${who} as root, because ${reason}; start as an ordinary user instead (docs/operations/install.md)`,
  );
}

function openSetupWarning(config: Config): string {
  return (
    `Setup: anyone who reaches port ${config['api.port']} of ${config['api.host']} can become the first admin. Create ` +
    'the user now, or set api.setup_code (PLIMSOLL_API_SETUP_CODE) or api.host to 127.0.0.1, and start again.'
  );
}

async function requireBuiltApps(apps: readonly AppSpec[]): Promise<void> {
  for (const { name, entry } of apps) {
    await access(entry).catch(() => {
      throw new StartError(`The app ${name} is not built: ${entry} does not exist. "npm start" builds it.`);
    });
  }
}
