import { productVersion } from '@plimsoll/model';
import type pg from 'pg';
import type { Database } from '../database.ts';
import { type AppliedMigration, readRecords } from './migration-records.ts';
import { requireServer } from './require-server.ts';
import { SchemaError } from './schema-error.ts';
import { readSchemaFiles, type SchemaFiles } from './schema-files.ts';

/** What a database says about its schema. */
export interface SchemaState {
  /** The applied migrations in order. */
  readonly applied: readonly AppliedMigration[];
  /** The digest of the scripts that made it; null until all of them were applied once. */
  readonly digest: Buffer | null;
  /** The version of the program that migrated last. */
  readonly version: string | null;
}

/** Reads the state of a database's schema; a database without tables has none. */
export async function readSchemaState(client: pg.ClientBase | pg.Pool): Promise<SchemaState> {
  const { rows: tables } = await client.query<{ records: boolean; state: boolean }>(
    `SELECT to_regclass('_prisma_migrations') IS NOT NULL AS records, to_regclass('schema_state') IS NOT NULL AS state`,
  );
  const applied = tables[0]?.records === true ? await readRecords(client) : [];
  if (tables[0]?.state !== true) return { applied, digest: null, version: null };
  const { rows } = await client.query<{ digest: Buffer; version: string }>(
    'SELECT digest, version FROM schema_state',
  );
  return { applied, digest: rows[0]?.digest ?? null, version: rows[0]?.version ?? null };
}

/** Throws SchemaError, about `subject`, if a newer program than that of `files` has migrated it. */
export function requireNoNewer(
  files: SchemaFiles,
  { applied, digest, version }: SchemaState,
  subject = 'The database',
): void {
  const known = new Set(files.migrations.map(({ name }) => name));
  const baseline = files.migrations[0]?.name ?? '';
  const unknown = applied.find(({ name }) => name > baseline && !known.has(name));
  const isOther = digest !== null && !digest.equals(files.digest);
  if (unknown === undefined && !(isOther && isNewer(version ?? '', productVersion))) return;
  const by = version === productVersion ? `a later build of version ${version}` : `version ${version}`;
  const what = unknown === undefined ? 'newer functions and views' : `the migration ${unknown.name}`;
  throw new SchemaError(
    `${subject} is too new for this program, version ${productVersion}: ${by} migrated it, and it has ${what}. Start ${by} or a newer one, or restore the backup from before the upgrade.`,
  );
}

/** Notes which version migrates, in the transaction of a migration or, with their digest, of all scripts. */
export async function noteSchemaState(client: pg.ClientBase, digest: Buffer | null): Promise<void> {
  await client.query(
    `INSERT INTO schema_state (digest, version) VALUES (coalesce($1, ''::bytea), $2)
     ON CONFLICT (id) DO UPDATE SET digest = coalesce($1, schema_state.digest), version = $2, applied_at = now()`,
    [digest, productVersion],
  );
}

/** Compares a database's schema with the scripts of a program. */
export interface SchemaCheck {
  /**
   * The names of migrations that the database lacks, and `prisma/sql` if its functions, triggers and views are others.
   * Throws SchemaError if its server is too old or a newer program made its schema; rejects if it does not answer.
   */
  findMissing(): Promise<readonly string[]>;
}

/** A check against the scripts in a folder `prisma`, which are read once. */
export function createSchemaCheck({ pool }: Database, schemaDir: string): SchemaCheck {
  const reading = readSchemaFiles(schemaDir);
  // Every look reports it.
  reading.catch(() => undefined);
  return {
    async findMissing() {
      const files = await reading;
      await requireServer(pool);
      const state = await readSchemaState(pool);
      requireNoNewer(files, state);
      const applied = new Set(state.applied.map(({ name }) => name));
      const missing = files.migrations.map(({ name }) => name).filter((name) => !applied.has(name));
      const isOther = state.digest === null || !state.digest.equals(files.digest);
      return missing.length === 0 && isOther ? ['prisma/sql'] : missing;
    },
  };
}

/** Whether a version is later than another, by their numbers. */
function isNewer(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) => text.split('.').map(Number));
  const at = left?.findIndex((number, place) => number !== right?.[place]) ?? -1;
  return at >= 0 && (left?.[at] ?? 0) > (right?.[at] ?? 0);
}
