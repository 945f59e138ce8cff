import { access, constants, mkdir, realpath } from 'node:fs/promises';
import path from 'node:path';
import { type Config, configEnvironment } from '@plimsoll/config';
import { endLeftovers, lockDataDir, recordProcess } from '@plimsoll/embedded';
import { isLoopbackHost, mallocSettings, systemErrorCode } from '@plimsoll/model';
import { localApiUrl, requireApiAddress, shownApiUrl } from './api-address.ts';
import { type AppAccount, appAccounts } from './app-accounts.ts';
import { type AppSpec, forNoApp } from './app-specs.ts';
import { awaitReadiness, isSetupWaiting } from './await-readiness.ts';
import { type CleanupStack, cleanupStack } from './cleanup-stack.ts';
import type { AppDatabaseUrls } from './migrate-service.ts';
import { type Log, openLog } from './open-log.ts';
import { announceDatabase } from './running-database.ts';
import { type BackingServices, startBackingServices } from './start-backing-services.ts';
import { StartError } from './start-error.ts';
import { type SupervisedApp, superviseApp, type UnexpectedEnd } from './supervise-app.ts';
import { inspectAddress, watchBundle } from './watch-bundle.ts';
import type { Interrupts } from './watch-interrupts.ts';
import { whenAborted } from './when-aborted.ts';

/** Time for apps to finish work in progress when the service stops. */
const graceMs = 10_000;
/** The same for an app whose bundle has changed: shorter, because the developer waits for the new one. */
const changedGraceMs = 1_000;

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
  /** Brings the database up to date and returns the database URL of each app and of `cli`. */
  readonly migrate: (databaseUrl: string, dataDir: string) => Promise<AppDatabaseUrls>;
  readonly interrupts: Interrupts;
  /** Prints a line for the user. */
  readonly say: (line: string) => void;
  /** Prints a warning that does not end the service. */
  readonly warn: (line: string) => void;
}

/**
 * Runs the whole service on a data folder until it is interrupted: a private database and Redis if none are configured,
 * migrations, then the apps. Always stops everything in reverse order. Throws StartError and EmbeddedError with a
 * sentence for the user.
 */
export async function runService(options: ServiceOptions): Promise<void> {
  const cleanup = cleanupStack();
  const { interrupts } = options;
  try {
    // A second Ctrl-C does not wait for a running step of the start.
    await Promise.race([serve(options, cleanup), whenAborted(interrupts.hurry)]);
  } catch (error) {
    if (!interrupts.stop.aborted) throw error;
  } finally {
    for (const failure of await cleanup.run()) options.warn(`Stopping: ${String(failure)}`);
  }
}

async function serve(options: ServiceOptions, cleanup: CleanupStack): Promise<void> {
  const { config, interrupts, warn } = options;
  const dataDir = await prepareFolder(config.data_dir);
  const logsFolder = await prepareFolder(path.join(dataDir, 'logs'));
  const locking = await lockDataDir(dataDir);
  if (locking.kind === 'held') {
    const where = locking.url === null ? 'it is still starting' : locking.url;
    throw new StartError(`Plimsoll is already running on ${dataDir}: process ${locking.pid}, ${where}.`);
  }
  cleanup.add(locking.lock.release);
  const openNamedLog = (name: string): Log => {
    const log = openLog(logsFolder, name, warn);
    cleanup.add(log.close);
    return log;
  };
  const events = eventLog(openNamedLog('plimsoll'));
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
    stop: interrupts.stop,
  });
  if (interrupts.stop.aborted) return;
  const urlOf = await options.migrate(backing.databaseUrl, dataDir);
  if (backing.databaseHome !== null) {
    const announced = await announceDatabase(dataDir, urlOf('cli'));
    cleanup.add(announced.withdraw);
  }
  if (interrupts.stop.aborted) return;

  const { apps, projectDir } = options;
  const accountOf = await appAccounts({ apps, config: backing.config, dataDir, projectDir });
  const rootWarnings = warningsOf(apps, accountOf, backing.redisRootReason);
  const api = startApps(options, { backing, urlOf, accountOf, recordsFolder }, cleanup, openNamedLog, events);
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
    await locking.lock.announce(url);
    events({ event: 'ready', url, database: backing.databaseServer });
    for (const warning of rootWarnings) events({ event: 'running as root', warning });
    await introduce(options, {
      url: shownUrl,
      api: url,
      dataDir,
      logsFolder,
      database: backing.databaseHome,
      server: backing.databaseServer,
      rootWarnings,
    });
    await Promise.race([whenAborted(interrupts.stop), whenAborted(broken.signal)]);
  }
  if (broken.signal.aborted) throw broken.signal.reason;
}

function startApps(
  { apps, env, projectDir, warn, interrupts, watch, say }: ServiceOptions,
  {
    backing,
    urlOf,
    accountOf,
    recordsFolder,
  }: {
    readonly backing: BackingServices;
    readonly urlOf: AppDatabaseUrls;
    readonly accountOf: (app: AppSpec) => AppAccount;
    readonly recordsFolder: string;
  },
  cleanup: CleanupStack,
  openNamedLog: (name: string) => Log,
  events: (event: object) => void,
): SupervisedApp {
  const onUnexpectedEnd = (end: UnexpectedEnd): void => {
    events({ event: 'app ended', ...end });
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
          { ...backing.config, 'database.url': urlOf(name), 'redis.url': backing.redisUrlOf(name) },
          env,
          [...forNoApp, ...withheld],
        ),
      },
      onStart: (pid) => {
        recordProcess(recordsFolder, name, pid).catch((error: unknown) =>
          events({ event: 'process not recorded', app: name, pid, error: String(error) }),
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
  readonly rootWarnings: readonly string[];
}

async function introduce(
  { say, warn, config, watch, apps }: ServiceOptions,
  { url, api, dataDir, logsFolder, database, server, rootWarnings }: Introduction,
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
  if (watch)
    say(`  Debuggers: ${apps.map(({ name }, index) => `${name} ${inspectAddress(index)}`).join(', ')}`);
  say(`  Logs: ${logsFolder}`);
  for (const warning of rootWarnings) say(`  Warning: ${warning}`);
  say('  Stop: Ctrl-C');
}

/** A line for each reason why apps or Redis run as root, with the apps it applies to. */
function warningsOf(
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
      `${who} as root, because ${reason}; start as an ordinary user instead (docs/operations.md)`,
  );
}

function openSetupWarning(config: Config): string {
  return (
    `Setup: anyone who reaches port ${config['api.port']} of ${config['api.host']} can become the first admin. Create ` +
    'the user now, or set api.setup_code (PLIMSOLL_API_SETUP_CODE) or api.host to 127.0.0.1, and start again.'
  );
}

async function prepareFolder(folder: string): Promise<string> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return await realpath(folder);
  } catch (cause) {
    const code = systemErrorCode(cause) ?? String(cause);
    throw new StartError(
      `${folder} cannot be used: ${code}. Choose another folder with data_dir (PLIMSOLL_DATA_DIR).`,
      { cause },
    );
  }
}

async function requireBuiltApps(apps: readonly AppSpec[]): Promise<void> {
  for (const { name, entry } of apps) {
    await access(entry).catch(() => {
      throw new StartError(`The app ${name} is not built: ${entry} does not exist. "npm start" builds it.`);
    });
  }
}

/** The supervisor's own events as lines of JSON. */
function eventLog(log: Log): (event: object) => void {
  return (event) => log.write(`${JSON.stringify({ time: new Date().toISOString(), ...event })}\n`);
}
