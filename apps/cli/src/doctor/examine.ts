import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Config, configReport, loadConfig, type readConfigInput } from '@plimsoll/config';
import { createSchemaCheck, openDatabase } from '@plimsoll/db';
import { type Check, withoutCredentials } from '@plimsoll/model';
import {
  type CheckedFolder,
  certificateCheck,
  diskCheck,
  type Finding,
  fault,
  ok,
  readSpaces,
  runCheck,
  serviceChecks,
  unknown,
  warning,
} from '@plimsoll/process';
import { readCertificate, TlsError } from '@plimsoll/tls';
import { sentenceFor } from '../explain.ts';
import { nodeWarning } from '../service/node-warning.ts';
import { findOwnerUrl } from '../service/running-database.ts';
import { fileModeCheck } from './file-mode-check.ts';
import { apiPortCheck, healthPortCheck } from './port-checks.ts';

/** What the doctor looks at. */
export interface Patient {
  readonly readInput: () => ReturnType<typeof readConfigInput>;
  readonly projectDir: string;
}

/** Makes every check, also while the service is stopped or its database is away. Changes nothing and never rejects. */
export async function examine({ readInput, projectDir }: Patient): Promise<readonly Check[]> {
  let config: Config | null = null;
  const configuration = await runCheck(
    'configuration',
    async () => {
      try {
        const input = await readInput();
        const settings = configReport(input);
        config = loadConfig(input);
        return ok(`All ${settings.length} settings are valid.`);
      } catch (error) {
        return fault(sentenceOf(error), 'Correct the settings: docs/configuration.md.');
      }
    },
    sentenceOf,
  );
  const node = await runCheck('Node.js', async () => nodeCheck(), sentenceOf);
  const rest = config === null ? [] : await installationChecks(config, projectDir);
  return [configuration, node, ...rest];
}

function nodeCheck(): Finding {
  const says = nodeWarning(process.versions.node, new Date());
  const version = `Node.js ${process.versions.node}`;
  return says === null ? ok(`${version}.`) : warning(`${says}.`, 'Install the newer version, then restart.');
}

async function installationChecks(config: Config, projectDir: string): Promise<readonly Check[]> {
  const folders = [
    { name: 'data', path: config.data_dir },
    { name: 'logs', path: path.join(config.data_dir, 'logs') },
    { name: 'downloads', path: config['feeds.download_dir'] ?? path.join(config.data_dir, 'downloads') },
    ...(config['backup.dir'] === null ? [] : [{ name: 'backups', path: config['backup.dir'] } as const]),
  ] as const;
  const looks: Readonly<Record<string, () => Promise<Finding>>> = {
    'API port': () => apiPortCheck(config),
    'health port': () => healthPortCheck(config),
    certificate: () => ownCertificateCheck(config),
    disk: async () => diskCheck(await readSpaces(folders.map(madeLater))),
    'file modes': () => fileModeCheck(config),
    // The advisory-worker asks them, by its own rules for addresses; its failures are those of the feeds.
    'feed addresses': async () =>
      unknown('They are not tried from here.', 'plimsoll feed list has the last failure of each.'),
  };
  const [own, service] = await Promise.all([
    Promise.all(Object.entries(looks).map(([name, look]) => runCheck(name, look, sentenceOf))),
    databaseChecks(config, projectDir),
  ]);
  return [...service, ...own];
}

async function databaseChecks(config: Config, projectDir: string): Promise<readonly Check[]> {
  let databaseUrl: string;
  try {
    databaseUrl = await findOwnerUrl(config);
  } catch (error) {
    const why = sentenceOf(error);
    const says = `With the database, schema, clock, rounds, backup, feeds and queue are not known: ${why}`;
    return [{ name: 'database', ...unknown(says, 'Start the service, then run this again.') }];
  }
  const db = openDatabase({
    databaseUrl,
    poolSize: 2,
    applicationName: 'plimsoll doctor',
    statementLimitMs: 8_000,
    // The next statement reports a lost connection.
    onIdleError: () => undefined,
  });
  const { 'redis.url': url, 'queue.prefix': prefix, 'queue.backend': backend } = config;
  const isPrivate = config['database.url'] === null && backend !== 'postgres';
  const redis = url === null || backend === 'postgres' ? (isPrivate ? 'private' : null) : { url, prefix };
  try {
    return await serviceChecks({
      db,
      schema: createSchemaCheck(db, path.join(projectDir, 'prisma')),
      redis,
      isApp: false,
      sentenceOf,
      clock: () => new Date(),
    });
  } finally {
    await db.close();
  }
}

/** A new installation makes its folders below one that is there; a folder for backups may be a disk that is not mounted. */
function madeLater(folder: CheckedFolder): CheckedFolder {
  let place = folder.path;
  while (folder.name !== 'backups' && !existsSync(place) && place !== path.dirname(place))
    place = path.dirname(place);
  return { ...folder, path: place };
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
