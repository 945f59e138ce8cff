import { productVersion } from '@plimsoll/model';
import type pg from 'pg';
import { inTransactionAs } from './locked-client.ts';
import { createRecords, pendingOf, recordMigration } from './migration-records.ts';
import { requireServer } from './require-server.ts';
import { SchemaError } from './schema-error.ts';
import type { SchemaFiles, Script } from './schema-files.ts';
import { noteSchemaState, readSchemaState, requireNoNewer } from './schema-state.ts';
import { takeOver } from './take-over.ts';

/** The location of the schema's scripts, and the database to migrate. */
export interface MigrateOptions {
  readonly databaseUrl: string;
  /** Absolute path of `prisma`. */
  readonly schemaDir: string;
  /**
   * Is awaited before the first step on a database that has data, never if the schema is up to date. If it rejects,
   * nothing is applied.
   */
  readonly beforeSteps?: (upcoming: UpcomingMigration) => Promise<void>;
  /** Is called before each step; never if the schema is up to date. */
  readonly onStep?: (step: MigrationStep) => void;
}

/** What a migration is about to do to a database that has data. */
export interface UpcomingMigration {
  readonly from: SchemaVersion;
  readonly to: SchemaVersion;
  /** The names of the missing migrations in order; functions, triggers and views are made again after them. */
  readonly migrations: readonly string[];
  readonly databaseBytes: number;
  /** Of the largest table with its indexes: a migration that rewrites it needs as much again until it ends. */
  readonly largestTable: { readonly name: string; readonly bytes: number };
}

/** A script, or all definitions, that is about to be applied. */
export interface MigrationStep {
  /** The version that migrated last, and its newest migration; null: the database is empty. */
  readonly from: SchemaVersion | null;
  readonly to: SchemaVersion;
  /** Counted from 1. */
  readonly n: number;
  readonly of: number;
  /** The name of a migration; null: functions, triggers and views. */
  readonly migration: string | null;
}

/** A version of the schema. */
export interface SchemaVersion {
  /** The version of the program; null: one before the baseline. */
  readonly program: string | null;
  readonly migration: string;
}

/** What a database lacks. */
export interface SchemaPlan {
  readonly files: SchemaFiles;
  readonly pending: readonly Script[];
  readonly withDefinitions: boolean;
  readonly from: SchemaVersion | null;
}

/** Throws SchemaError if the server is too old, or if a newer program has migrated the database. Changes nothing. */
export async function requireMigratable(client: pg.ClientBase, files: SchemaFiles): Promise<void> {
  await requireServer(client);
  requireNoNewer(files, await readSchemaState(client));
}

/**
 * Finds what a database lacks, after it was taken over if it is older than the baseline. Throws SchemaError if it is
 * older than what can be taken over, or has other scripts. `client` holds the lock.
 */
export async function planMigration(
  client: pg.Client,
  files: SchemaFiles,
  role: string | null,
): Promise<SchemaPlan> {
  const [baseline] = files.migrations;
  if (baseline === undefined) throw new Error('the program has no migrations');
  await inTransactionAs(client, role, () => createRecords(client));
  await takeOver(client, baseline, role);
  const state = await readSchemaState(client);
  const newest = state.applied.at(-1);
  return {
    files,
    pending: pendingOf(files.migrations, state.applied),
    withDefinitions: state.digest?.equals(files.digest) !== true,
    from: newest === undefined ? null : { program: state.version, migration: newest.name },
  };
}

/** Announces what `plan` will do, unless it is nothing or the database has no data yet. */
export async function announcePlan(
  client: pg.ClientBase,
  plan: SchemaPlan,
  beforeSteps: MigrateOptions['beforeSteps'],
): Promise<void> {
  const { from, pending } = plan;
  if (beforeSteps === undefined || from === null || (pending.length === 0 && !plan.withDefinitions)) return;
  const { rows } = await client.query<{ database: string; name: string; bytes: string }>(
    `SELECT pg_database_size(current_database()) AS database, relname AS name, pg_total_relation_size(oid) AS bytes
     FROM pg_class WHERE relkind = 'r' ORDER BY pg_total_relation_size(oid) DESC LIMIT 1`,
  );
  const largest = rows[0] ?? { database: '0', name: '', bytes: '0' };
  await beforeSteps({
    from,
    to: versionAfter(plan.files),
    migrations: pending.map(({ name }) => name),
    databaseBytes: Number(largest.database),
    largestTable: { name: largest.name, bytes: Number(largest.bytes) },
  });
}

/**
 * Applies the missing migrations, each with its record in one transaction. `client` holds the lock. Created objects
 * belong to `role` or, if it is null, to the connected user.
 */
export async function applyPending(
  client: pg.Client,
  plan: SchemaPlan,
  role: string | null,
  onStep: MigrateOptions['onStep'],
): Promise<void> {
  for (const [index, migration] of plan.pending.entries()) {
    onStep?.(stepOf(plan, index + 1, migration.name));
    await inTransactionAs(client, role, async () => {
      await runScript(client, migration);
      await recordMigration(client, migration);
      // The baseline is older than the table.
      if (migration !== plan.files.migrations[0]) await noteSchemaState(client, null);
    });
  }
}

/**
 * Applies functions, triggers and views unless those that the database has come from the same scripts, after the same
 * migrations: a migration may drop what is in its way. `client` is in a transaction. Created objects belong to the
 * connection's role.
 */
export async function applyDefinitions(
  client: pg.ClientBase,
  plan: SchemaPlan,
  onStep: MigrateOptions['onStep'],
): Promise<void> {
  if (!plan.withDefinitions) return;
  onStep?.(stepOf(plan, plan.pending.length + 1, null));
  const { definitions, digest } = plan.files;
  for (const definition of definitions) await runScript(client, definition);
  await noteSchemaState(client, digest);
}

function stepOf({ files, pending, from }: SchemaPlan, n: number, migration: string | null): MigrationStep {
  return { from, to: versionAfter(files), n, of: pending.length + 1, migration };
}

function versionAfter({ migrations }: SchemaFiles): SchemaVersion {
  return { program: productVersion, migration: migrations.at(-1)?.name ?? '' };
}

/** Applies a script in the transaction of `client`. Throws SchemaError. */
export async function runScript(client: pg.ClientBase, { name, sql }: Script): Promise<void> {
  try {
    await client.query(sql);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new SchemaError(`${name} failed, and nothing of it was applied: ${reason}`, { cause: error });
  }
}
