import { randomBytes } from 'node:crypto';
import { chown, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { systemErrorCode } from '@plimsoll/model';
import { EmbeddedError } from '../embedded-error.ts';
import { processesIn } from '../process-identity.ts';
import { type Account, runProgram } from '../run-program.ts';
import type { StopStage } from '../start-server-process.ts';
import { stopOrphan } from '../stop-orphan.ts';
import { until } from '../until.ts';
import type { PostgresBinaries } from './find-postgres-binaries.ts';

/** The name of the database and of its superuser. */
export const databaseName = 'plimsoll';

/** A cluster without a running server that the binaries can serve. */
export interface PostgresCluster {
  readonly folder: string;
  readonly password: string;
}

/** Fast shutdown, then immediate shutdown, which costs a recovery at the next start, then SIGKILL. */
export const postgresStopStages: readonly [StopStage, ...StopStage[]] = [
  { signal: 'SIGINT', waitMs: 60_000 },
  { signal: 'SIGQUIT', waitMs: 10_000 },
  { signal: 'SIGKILL', waitMs: 10_000 },
];

/**
 * Prepares the cluster in `home`: creates it at the first start (restarting an interrupted creation), stops a server
 * that an earlier supervisor left running, and clears its traces. Call it only with the lock of `home` held.
 */
export async function preparePostgresCluster(
  home: string,
  binaries: PostgresBinaries,
  account: Account,
): Promise<PostgresCluster> {
  const folder = path.join(home, 'cluster');
  const version = await textOf(path.join(folder, 'PG_VERSION'));
  if (version === null) return { folder, password: await createCluster(home, binaries, account) };

  if (Number(version) !== binaries.major) {
    throw new EmbeddedError(
      'version_mismatch',
      `${folder} was made by PostgreSQL ${version.trim()}, and this version of Plimsoll has PostgreSQL ` +
        `${binaries.major}: dump it with the version that made it, or use another data folder`,
    );
  }
  await clearEarlierServer(folder);
  const password = await textOf(path.join(home, 'password'));
  return { folder, password: password ?? (await replacePassword(home, folder, binaries, account)) };
}

async function createCluster(home: string, binaries: PostgresBinaries, account: Account): Promise<string> {
  const draft = path.join(home, 'cluster.new');
  const initialPassword = path.join(home, 'password.new');
  const password = randomPassword();
  await rm(draft, { recursive: true, force: true });
  await rm(initialPassword, { force: true });
  await mkdir(draft, { mode: 0o700 });
  await writeFile(initialPassword, password, { mode: 0o600 });
  if (account.kind === 'other') {
    await chown(draft, account.uid, account.gid);
    await chown(initialPassword, account.uid, account.gid);
  }
  const { code, output } = await runProgram({
    program: binaries.initdb,
    args: initdbArguments(draft, initialPassword),
    account,
  });
  if (code !== 0)
    throw new EmbeddedError('start_failed', `the database cannot be created in ${home}: ${output.trim()}`);
  await runSingleUser(draft, binaries, account, `CREATE DATABASE ${databaseName}`);

  await rm(initialPassword);
  await writeFile(path.join(home, 'password'), password, { mode: 0o600 });
  // Last, because the cluster's presence means that all of this is done.
  await rename(draft, path.join(home, 'cluster'));
  return password;
}

function initdbArguments(folder: string, passwordFile: string): readonly string[] {
  return [
    `--pgdata=${folder}`,
    `--username=${databaseName}`,
    `--pwfile=${passwordFile}`,
    '--auth=scram-sha-256',
    '--encoding=UTF8',
    '--locale=C',
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--data-checksums',
    '--no-instructions',
  ];
}

/** The password file can be missing if only the cluster was restored from a backup. */
async function replacePassword(
  home: string,
  folder: string,
  binaries: PostgresBinaries,
  account: Account,
): Promise<string> {
  const password = randomPassword();
  await runSingleUser(folder, binaries, account, `ALTER ROLE ${databaseName} PASSWORD '${password}'`);
  await writeFile(path.join(home, 'password'), password, { mode: 0o600 });
  return password;
}

/** Runs one statement in a cluster without a running server, because there is no client program. */
async function runSingleUser(
  folder: string,
  { postgres }: PostgresBinaries,
  account: Account,
  statement: string,
): Promise<void> {
  const args = ['--single', '-D', folder, '-c', 'log_min_messages=warning', 'postgres'];
  const { code, output } = await runProgram({ program: postgres, args, account, input: `${statement}\n` });
  if (code === 0 && !/\b(ERROR|FATAL|PANIC):/.test(output)) return;
  throw new EmbeddedError('start_failed', `the database in ${folder} cannot be prepared: ${output.trim()}`);
}

/** Base64url, because it is used in a URL and in an SQL literal. */
function randomPassword(): string {
  return randomBytes(32).toString('base64url');
}

async function clearEarlierServer(folder: string): Promise<void> {
  const pidFile = path.join(folder, 'postmaster.pid');
  await stopOrphan(pidFile, folder, postgresStopStages);
  const realFolder = await realpath(folder);
  // Backends outlive a killed server for a moment; removing postmaster.pid under them would corrupt the data.
  const left = await until(async () => (await processesIn(realFolder)).length === 0, 30_000);
  if (!left) {
    const pids = await processesIn(realFolder);
    throw new EmbeddedError('data_in_use', `${folder} is in use by the processes ${pids.join(', ')}`);
  }
  await rm(pidFile, { force: true });
}

async function textOf(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim();
  } catch (error) {
    if (systemErrorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
