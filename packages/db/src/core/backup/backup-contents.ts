import pg from 'pg';
import type { AppliedMigration } from '../migrations/migration-records.ts';
import { readSchemaState } from '../migrations/schema-state.ts';
import { BackupError } from './backup-error.ts';

/** A table of a backup. */
export interface BackedUpTable {
  readonly name: string;
  /** In the order of its rows' fields; without generated columns. */
  readonly columns: readonly string[];
  readonly rows: number;
}

/** What a backup has of a database, besides rows. */
export interface BackupContents {
  readonly schema: {
    readonly migrations: readonly AppliedMigration[];
    /** The digest of the scripts that made the schema, in hexadecimal; null before the first. */
    readonly digest: string | null;
    /** The version of the program that migrated last; null: one before the baseline. */
    readonly program: string | null;
  };
  readonly tables: readonly BackedUpTable[];
  /** `value`: the last one that was given, as digits; null: none yet. */
  readonly sequences: readonly { readonly name: string; readonly value: string | null }[];
}

/** A table as the catalogue has it. */
export type CatalogueTable = Omit<BackedUpTable, 'rows'>;

/**
 * The tables with data, by name, as the database has them, whichever version made it: without those of extensions and
 * without the list of migrations, which `BackupContents` has itself.
 */
export async function catalogueTables(client: pg.ClientBase): Promise<readonly CatalogueTable[]> {
  const { rows } = await client.query<CatalogueTable>(
    `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relname <> '_prisma_migrations'
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')
     GROUP BY c.oid, c.relname ORDER BY c.relname COLLATE "C"`,
  );
  return rows;
}

/** The names of tables and columns for a statement, such as `"hosts" ("id", "name")`. */
export function copyTarget({ name, columns }: CatalogueTable): string {
  return `${pg.escapeIdentifier(name)} (${columns.map((column) => pg.escapeIdentifier(column)).join(', ')})`;
}

/** Reads the contents in the snapshot of `client`'s transaction, which has locked `tables`, and counts their rows. */
export async function readContents(client: pg.ClientBase): Promise<BackupContents> {
  const { applied, digest, version } = await readSchemaState(client);
  const tables: BackedUpTable[] = [];
  for (const table of await catalogueTables(client)) {
    const { rows } = await client.query<{ rows: string }>(
      `SELECT count(*)::text AS rows FROM ${pg.escapeIdentifier(table.name)}`,
    );
    tables.push({ ...table, rows: Number(rows[0]?.rows) });
  }
  // Sequences are no part of a snapshot. Read after it, none is behind its rows.
  const { rows: found } = await client.query<{ name: string; value: string | null; readable: boolean }>(
    `SELECT sequencename::text AS name, last_value::text AS value,
       has_sequence_privilege(format('public.%I', sequencename), 'SELECT') AS readable FROM pg_sequences WHERE schemaname = 'public'
     ORDER BY sequencename COLLATE "C"`,
  );
  const closed = found.find(({ readable }) => !readable);
  if (closed !== undefined)
    throw new BackupError(
      `The database's user may not read the sequence ${closed.name}: use the owner of the tables.`,
    );
  const sequences = found.map(({ name, value }) => ({ name, value }));
  const schema = { migrations: applied, digest: digest?.toString('hex') ?? null, program: version };
  return { schema, tables, sequences };
}
