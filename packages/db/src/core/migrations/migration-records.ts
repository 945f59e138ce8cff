import type pg from 'pg';
import { SchemaError } from './schema-error.ts';
import type { Script } from './schema-files.ts';

/** Prisma's own definition, so that its tools understand the table. */
const createTable = `CREATE TABLE IF NOT EXISTS _prisma_migrations (
  id VARCHAR(36) PRIMARY KEY NOT NULL,
  checksum VARCHAR(64) NOT NULL,
  finished_at TIMESTAMPTZ,
  migration_name VARCHAR(255) NOT NULL,
  logs TEXT,
  rolled_back_at TIMESTAMPTZ,
  started_at TIMESTAMPTZ NOT NULL DEFAULT now(),
  applied_steps_count INTEGER NOT NULL DEFAULT 0
)`;

/** A migration that was applied, according to the table `_prisma_migrations`. */
export interface AppliedMigration {
  readonly name: string;
  readonly checksum: string;
}

/** Creates the table of applied migrations if it does not exist. */
export async function createRecords(client: pg.ClientBase): Promise<void> {
  await client.query(createTable);
}

/** The applied migrations in order. */
export async function readRecords(client: pg.ClientBase | pg.Pool): Promise<readonly AppliedMigration[]> {
  const { rows } = await client.query<AppliedMigration>(
    `SELECT migration_name AS name, checksum FROM _prisma_migrations
     WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY migration_name COLLATE "C"`,
  );
  return rows;
}

/**
 * Records that a migration was applied, in the transaction that applied it. Replaces records of Prisma's tools of
 * attempts that did not finish.
 */
export async function recordMigration(client: pg.ClientBase, { name, checksum }: Script): Promise<void> {
  await client.query('DELETE FROM _prisma_migrations WHERE migration_name = $1', [name]);
  await client.query(
    `INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at, applied_steps_count)
     VALUES (gen_random_uuid()::text, $1, $2, clock_timestamp(), 1)`,
    [checksum, name],
  );
}

/** The migrations of a program that a database lacks. Throws SchemaError if its applied ones are not the program's. */
export function pendingOf(
  migrations: readonly Script[],
  applied: readonly AppliedMigration[],
): readonly Script[] {
  const checksums = new Map(applied.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if ((checksums.get(name) ?? checksum) !== checksum)
      throw new SchemaError(
        `The migration ${name} was changed after it was applied to this database. Restore its file: a change is a new migration.`,
      );
  }
  return migrations.filter(({ name }) => !checksums.has(name));
}
