import { readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Config } from '@plimsoll/config';
import { systemErrorCode } from '@plimsoll/model';
import { StartError } from './start-error.ts';

/** Writes a running service's private database URL to where other commands of the same user find it. */
export async function announceDatabase(
  dataDir: string,
  url: string,
): Promise<{ withdraw: () => Promise<void> }> {
  const file = announcementFile(dataDir);
  await rm(file, { force: true });
  await writeFile(file, url, { mode: 0o600 });
  return { withdraw: () => rm(file, { force: true }) };
}

/** The configured database, otherwise the private one of the service running on the data folder. */
export async function findDatabaseUrl(config: Config): Promise<string> {
  const configured = config['database.url'];
  if (configured !== null) return configured;
  try {
    return await readFile(announcementFile(config.data_dir), 'utf8');
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

function announcementFile(dataDir: string): string {
  return path.join(dataDir, 'database.url');
}
