import { type Database, openDatabase } from '@plimsoll/db';

/** Opens a database for a bench; the next statement reports a lost connection. */
export function openBenchDatabase(databaseUrl: string, poolSize = 2): Database {
  return openDatabase({ databaseUrl, poolSize, applicationName: 'bench', onIdleError: () => undefined });
}
