import { type Config, readConfig } from '@plimsoll/config';
import { type Database, openDatabase } from '@plimsoll/db';
import type { CommandContext, ConfigFlags } from '../commands/command-context.ts';
import { findDatabaseUrl } from './running-database.ts';

/** Runs a command's work with the configured database, or that of the service on the data folder, then closes it. */
export async function withDatabase<T>(
  { env, projectDir }: Pick<CommandContext, 'env' | 'projectDir'>,
  flags: ConfigFlags,
  command: string,
  work: (db: Database, config: Config) => Promise<T>,
): Promise<T> {
  const config = await readConfig({ env, configPath: flags.config ?? null, projectDir });
  const place = { databaseUrl: await findDatabaseUrl(config), applicationName: command };
  return withDatabaseAt(place, (db) => work(db, config));
}

/** Runs work with a database, then closes it. */
export async function withDatabaseAt<T>(
  place: {
    readonly databaseUrl: string;
    readonly applicationName: string;
    readonly statementLimitMs?: number;
  },
  work: (db: Database) => Promise<T>,
  poolSize = 3,
): Promise<T> {
  // The next statement reports a lost connection.
  const db = openDatabase({ ...place, poolSize, onIdleError: () => undefined });
  try {
    return await work(db);
  } finally {
    await db.close();
  }
}
