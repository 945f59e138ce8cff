import path from 'node:path';
import { type Config, configReport, loadConfig, type readConfigInput } from '@plimsoll/config';
import { createFeedStore, createSchemaCheck, roleNames } from '@plimsoll/db';
import { diskSpace, isDataDirLocked, spaceFor } from '@plimsoll/embedded';
import { type Check, type Release, withoutCredentials } from '@plimsoll/model';
import {
  type CheckedFolder,
  certificateCheck,
  diskCheck,
  type Finding,
  fault,
  type Looks,
  ok,
  readSpaces,
  runChecks,
  type ServiceCheckSources,
  serviceChecks,
  unknown,
  warning,
} from '@plimsoll/process';
import { readCertificate, TlsError } from '@plimsoll/tls';
import { sentenceFor } from '../explain.ts';
import { nodeWarning } from '../service/node-warning.ts';
import { findOwnerUrl, findRedisUrl } from '../service/running-database.ts';
import { withDatabaseAt } from '../service/with-database.ts';
import { feedServerCheck } from './feed-server-check.ts';
import { fileModeCheck } from './file-mode-check.ts';
import { apiPortCheck, healthPortCheck } from './port-checks.ts';
import { stoppedChecks } from './stopped-checks.ts';

/** What the doctor looks at. */
export interface Patient {
  readonly readInput: () => ReturnType<typeof readConfigInput>;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly projectDir: string;
}

/** Makes every check, also while the service is stopped or its database is away. Changes nothing and never rejects. */
export async function examine(patient: Patient): Promise<readonly Check[]> {
  let config: Config | null = null;
  const configuration = async () => {
    try {
      const input = await patient.readInput();
      const settings = configReport(input);
      config = loadConfig(input);
      return ok(`All ${settings.length} settings are valid.`);
    } catch (error) {
      return fault(sentenceOf(error), 'Correct the settings: docs/configuration.md.');
    }
  };
  const first = await runChecks({ configuration, 'Node.js': async () => nodeCheck() }, sentenceOf);
  return config === null ? first : [...first, ...(await installationChecks(config, patient))];
}

function nodeCheck(): Finding {
  const says = nodeWarning(process.versions.node, new Date());
  const version = `Node.js ${process.versions.node}`;
  return says === null ? ok(`${version}.`) : warning(`${says}.`, 'Install the newer version, then restart.');
}

async function installationChecks(config: Config, patient: Patient): Promise<readonly Check[]> {
  const folders: readonly CheckedFolder[] = [
    { name: 'data', path: config.data_dir },
    { name: 'logs', path: path.join(config.data_dir, 'logs') },
    { name: 'downloads', path: config['feeds.download_dir'] ?? path.join(config.data_dir, 'downloads') },
    ...(config['backup.dir'] === null ? [] : [{ name: 'backups' as const, path: config['backup.dir'] }]),
  ];
  const own: Looks = {
    'API port': () => apiPortCheck(config),
    'health ports': () => healthPortCheck(config),
    certificate: () => ownCertificateCheck(config),
    // One for backups may be a disk that is not mounted; the others are made below what is there.
    disk: async () =>
      diskCheck(await readSpaces(folders, (of) => (of.name === 'backups' ? diskSpace : spaceFor)(of.path))),
    'file modes': async () => fileModeCheck(config, await patient.readInput()),
  };
  // A folder that cannot be looked at is reported by what reads it next.
  const isLocked = await isDataDirLocked(config.data_dir).catch(() => true);
  const [service, rest] = await Promise.all([
    isLocked || config['database.url'] !== null
      ? databaseChecks(config, patient, isLocked)
      : stopped(config, patient),
    runChecks(own, sentenceOf),
  ]);
  return [...service, ...rest];
}

async function stopped(config: Config, patient: Patient): Promise<readonly Check[]> {
  const feedServers = () => feedServerCheck(config, null, patient);
  return runChecks({ ...stoppedChecks(config), 'feed servers': feedServers }, sentenceOf);
}

async function databaseChecks(
  config: Config,
  patient: Patient,
  isLocked: boolean,
): Promise<readonly Check[]> {
  const found = await findOwnerUrl(config).catch((error: unknown) => ({ why: sentenceOf(error) }));
  if (typeof found !== 'string') {
    const says = `Nothing in it is known: ${found.why}`;
    return [
      { name: 'database', ...unknown(says, 'Run this as the user of the service, when it has started.') },
    ];
  }
  const place = { databaseUrl: found, applicationName: 'plimsoll doctor', statementLimitMs: 8_000 };
  return withDatabaseAt(place, async (db) => {
    const looks = await serviceChecks({
      db,
      schema: createSchemaCheck(db, path.join(patient.projectDir, 'prisma')),
      redis: await redisOf(config, isLocked),
      roles: roleNames(config['database.role_prefix']),
      sentenceOf,
      clock: () => new Date(),
    });
    const feedServers = async () => {
      // Another check says why the database does not answer; this one that the fleet is not known.
      const fleet: readonly Release[] | null = await createFeedStore(db)
        .fleetReleases()
        .catch(() => null);
      return feedServerCheck(config, fleet, patient);
    };
    return runChecks({ ...looks, 'feed servers': feedServers }, sentenceOf);
  });
}

/** The Redis of the queue: the configured one, else that of a service that runs on the data folder. */
async function redisOf(config: Config, isLocked: boolean): Promise<ServiceCheckSources['redis']> {
  if (config['queue.backend'] === 'postgres') return null;
  const url = config['redis.url'] ?? (await findRedisUrl(config.data_dir));
  if (url !== null) return { url, prefix: config['queue.prefix'] };
  if (isLocked) return null;
  return { unknown: 'No service runs on the data folder; one may have a Redis of its own.' };
}

async function ownCertificateCheck(config: Config): Promise<Finding> {
  const { 'api.tls_cert_file': certFile, 'api.tls_key_file': keyFile } = config;
  if (certFile === null || keyFile === null) return certificateCheck(null, null, new Date());
  try {
    return certificateCheck(await readCertificate({ certFile, keyFile }), null, new Date());
  } catch (error) {
    if (error instanceof TlsError) return certificateCheck(null, error.message, new Date());
    throw error;
  }
}

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return sentenceFor(error) ?? withoutCredentials(message);
}
