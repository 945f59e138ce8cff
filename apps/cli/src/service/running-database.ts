import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '@plimsoll/config';
import { systemErrorCode } from '@plimsoll/model';
import { StartError } from './start-error.ts';

/** Writes the URL of a running service's private server to where other commands of the same user find it. */
export async function announceServer(
  dataDir: string,
  server: 'database' | 'redis',
  url: string,
): Promise<{ withdraw: () => Promise<void> }> {
  const file = announcementFile(dataDir, server);
  await rm(file, { force: true });
  await writeFile(file, url, { mode: 0o600 });
  return { withdraw: () => rm(file, { force: true }) };
}

/** The configured database, otherwise the private one of the service running on the data folder. */
export async function findDatabaseUrl(config: Config): Promise<string> {
  const configured = config['database.url'];
  if (configured !== null) return configured;
  try {
    return await readFile(announcementFile(config.data_dir, 'database'), 'utf8');
  } catch (cause) {
    const code = systemErrorCode(cause);
    throw new StartError(
      code === 'ENOENT'
        ? `No service runs on ${config.data_dir}: start it first, or set database.url.`
        : `The database of ${config.data_dir} cannot be found: ${code ?? String(cause)}.`,
      { cause },
    );
  }
}

/** The URL of the private Redis of a running service, as one of its apps; null without one. */
export function findRedisUrl(dataDir: string): Promise<string | null> {
  return readText(announcementFile(dataDir, 'redis'));
}

function announcementFile(dataDir: string, server: 'database' | 'redis'): string {
  return path.join(dataDir, `${server}.url`);
}

/** The name of the private database's superuser: see packages/embedded. */
const privateSuperuser = 'plimsoll';

/**
 * The URL of a user with every right on the database: the configured one, otherwise that of the private database's
 * superuser, whose password is in the data folder.
 */
export async function findOwnerUrl(config: Config): Promise<string> {
  const found = await findDatabaseUrl(config);
  if (config['database.url'] !== null) return found;
  const moved = await readText(path.join(config.data_dir, 'postgres.location'));
  const home = moved ?? path.join(config.data_dir, 'postgres');
  const password = await readText(path.join(home, 'password'));
  if (password === null) throw new StartError(`The password of the database in ${home} cannot be read.`);
  const url = new URL(found);
  url.username = privateSuperuser;
  url.password = password;
  return url.href;
}

async function readText(file: string): Promise<string | null> {
  return readFile(file, 'utf8').then(
    (text) => text.trim(),
    () => null,
  );
}
