import { productVersion } from '@plimsoll/model';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { inTransactionAs, withMigrationLock } from './locked-client.ts';
import { MigrationError } from './migration-error.ts';
import { createRecords, pendingOf, readRecords, recordMigration } from './migration-records.ts';
import { migrationNames, readSchemaFiles, type SchemaFiles, type Script } from './schema-files.ts';
import { takeOver } from './take-over.ts';

/** The location of the schema's scripts, and the database to migrate. */
export interface MigrateOptions {
  readonly databaseUrl: string;
  /** Absolute path of `prisma`. */
  readonly schemaDir: string;
}

/**
 * Applies all missing migrations in order, then functions, triggers and views. Safe to call from several processes at
 * once: one works, the others wait and find nothing to do. If it is interrupted, the next call does the rest. Throws
 * MigrationError.
 * @returns the names of the migrations that were applied.
 */
export async function applyMigrations(options: MigrateOptions): Promise<readonly string[]> {
  const files = await readSchemaFiles(options.schemaDir);
  return withMigrationLock(options.databaseUrl, async (client) => {
    const applied = await applyPending(client, files, null);
    await inTransactionAs(client, null, () => applyDefinitions(client, files));
    return applied;
  });
}

/**
 * Applies the missing migrations, each with its record in one transaction. `client` holds the lock. Created objects
 * belong to `role` or, if it is null, to the connected user.
 */
export async function applyPending(
  client: pg.Client,
  { migrations }: SchemaFiles,
  role: string | null,
): Promise<readonly string[]> {
  const [baseline] = migrations;
  if (baseline === undefined) return [];
  await inTransactionAs(client, role, () => createRecords(client));
  await takeOver(client, baseline, role);
  const pending = pendingOf(migrations, await readRecords(client));
  for (const migration of pending) {
    await inTransactionAs(client, role, async () => {
      await runScript(client, migration);
      await recordMigration(client, migration);
    });
  }
  return pending.map(({ name }) => name);
}

/**
 * Applies functions, triggers and views unless those that the database has come from the same scripts, after the same
 * migrations: a migration may drop what is in its way. `client` is in a transaction. Created objects belong to the
 * connection's role.
 */
export async function applyDefinitions(
  client: pg.ClientBase,
  { definitions, digest }: SchemaFiles,
): Promise<void> {
  const { rows } = await client.query('SELECT FROM schema_state WHERE digest = $1', [digest]);
  if (rows.length > 0) return;
  for (const definition of definitions) await runScript(client, definition);
  await client.query(
    `INSERT INTO schema_state (digest, version) VALUES ($1, $2)
     ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, version = excluded.version, applied_at = now()`,
    [digest, productVersion],
  );
}

/**
 * Names of a folder's migrations that a database lacks, in order. Rejects if the database does not answer.
 */
export async function findPendingMigrations(
  { pool }: Database,
  schemaDir: string,
): Promise<readonly string[]> {
  const wanted = await migrationNames(schemaDir);
  const { rows: tables } = await pool.query(
    `SELECT FROM pg_class WHERE oid = to_regclass('_prisma_migrations')`,
  );
  if (tables.length === 0) return wanted;
  const applied = new Set((await readRecords(pool)).map(({ name }) => name));
  return wanted.filter((name) => !applied.has(name));
}

async function runScript(client: pg.ClientBase, { name, sql }: Script): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new MigrationError(`${name} failed, and nothing of it was applied: ${reason}`, { cause: error });
  }
}
