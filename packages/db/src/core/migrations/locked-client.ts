import { createHash } from 'node:crypto';
import pg from 'pg';
import { sessionOptions } from '../database.ts';
import { SchemaError } from './schema-error.ts';

/**
 * The key of the PostgreSQL advisory lock that lets one process at a time migrate: the first 8 bytes of a fixed hash.
 */
const migrationLock = createHash('sha256').update('plimsoll migrations').digest().readBigInt64BE(0);

/**
 * Runs `work` with the connection that holds the migration lock, so that no other process migrates the database
 * meanwhile. All that a migration changes is changed on this connection: it ends with the lock.
 */
export async function withMigrationLock<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = await openClient(databaseUrl, 'plimsoll migrate');
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock.toString()]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Opens one connection, with more `settings` if given, until `end`. Of one that broke, the running or next statement says so. */
export async function openClient(databaseUrl: string, name: string, settings = ''): Promise<pg.Client> {
  const options = `${sessionOptions} ${settings}`;
  const client = new pg.Client({
    connectionString: databaseUrl,
    application_name: name,
    options,
    keepAlive: true,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Times that a transaction is repeated after a deadlock: apps that still run lock tables in other orders. */
const mostRepeats = 5;
const deadlock = '40P01';

/**
 * Runs `work` in a transaction of an open connection, as `role` or, if it is null, as the connected user. Repeats it after a
 * deadlock.
 */
export async function inTransactionAs<T>(
  client: pg.ClientBase,
  role: string | null,
  work: () => Promise<T>,
): Promise<T> {
  for (let repeats = 0; ; repeats += 1) {
    try {
      return await runOnce(client, role, work);
    } catch (error) {
      const cause = error instanceof SchemaError ? error.cause : error;
      if (!(cause instanceof pg.DatabaseError) || cause.code !== deadlock || repeats === mostRepeats)
        throw error;
    }
  }
}

async function runOnce<T>(client: pg.ClientBase, role: string | null, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN');
  try {
    if (role !== null) await client.query(`SET LOCAL ROLE ${pg.escapeIdentifier(role)}`);
    const result = await work();
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // A broken connection has already rolled back.
    await client.query('ROLLBACK').catch(() => undefined);
    throw error;
  }
}
