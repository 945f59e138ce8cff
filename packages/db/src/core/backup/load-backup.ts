import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from } from 'pg-copy-streams';
import { inTransactionAs, withMigrationLock } from '../migrations/locked-client.ts';
import { runScript } from '../migrations/migrate.ts';
import { createRecords, pendingOf, recordMigration } from '../migrations/migration-records.ts';
import { requireServer } from '../migrations/require-server.ts';
import { readSchemaFiles } from '../migrations/schema-files.ts';
import { requireNoNewer } from '../migrations/schema-state.ts';
import { recognise } from '../migrations/take-over.ts';
import {
  type BackedUpTable,
  type BackupContents,
  type CatalogueTable,
  catalogueTables,
  copyTarget,
} from './backup-contents.ts';
import { BackupError } from './backup-error.ts';

/** A backup to load, and an empty database for it. */
export interface BackupLoad {
  readonly databaseUrl: string;
  /** Absolute path of `prisma`. */
  readonly schemaDir: string;
  /** As read from a file: everything in it is checked against the tables that the program's migrations make. */
  readonly contents: BackupContents;
}

/** Loads the rows of a table, in the columns' order of the backup. */
export type LoadTable = (name: string, rows: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Makes the tables of the backup's version in an empty database, and has `work` load all of them: in one transaction, so that
 * whatever happens the database has everything or nothing. Foreign keys are checked at its end. A migration of the database
 * does the rest: later migrations, functions, roles. `beforeCommit` is awaited when all has been checked. Throws BackupError and SchemaError; rejects as `work` does.
 */
export async function loadBackup(
  { databaseUrl, schemaDir, contents }: BackupLoad,
  work: (load: LoadTable) => Promise<void>,
  beforeCommit: () => Promise<void>,
): Promise<void> {
  const files = await readSchemaFiles(schemaDir);
  const [baseline] = files.migrations;
  if (baseline === undefined) throw new Error('the program has no migrations');
  const { migrations, digest, program } = contents.schema;
  const applied = recognise(migrations, baseline);
  if (applied === null)
    throw new BackupError(
      'The backup is of a version that this one cannot upgrade: restore it with its version.',
    );
  const state = { applied, digest: digest === null ? null : Buffer.from(digest, 'hex'), version: program };
  requireNoNewer(files, state, 'The backup');
  const pending = pendingOf(files.migrations, applied);
  await withMigrationLock(databaseUrl, async (client) => {
    await requireServer(client);
    await inTransactionAs(client, null, async () => {
      await requireEmpty(client);
      await client.query('SET LOCAL idle_in_transaction_session_timeout = 0');
      await createRecords(client);
      for (const script of files.migrations.filter((each) => !pending.includes(each))) {
        await runScript(client, script);
        await recordMigration(client, script);
      }
      const targets = matchTables(await catalogueTables(client), contents);
      const restoreForeignKeys = await dropForeignKeys(client);
      // What migrations insert is in the backup, too.
      await client.query(
        `TRUNCATE ${[...targets.keys()].map((name) => pg.escapeIdentifier(name)).join(', ')}`,
      );
      await work((name, rows) => loadTable(client, targets.get(name), rows));
      await setSequences(client, contents);
      await restoreForeignKeys();
      // So that a migration makes all functions, triggers and views, which the backup does not have.
      if (targets.has('schema_state')) await client.query(`UPDATE schema_state SET digest = ''`);
      await beforeCommit();
    });
    // Autovacuum does it later.
    await client.query('ANALYZE').catch(() => undefined);
  });
}

async function requireEmpty(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ tables: number }>(
    `SELECT count(*)::int AS tables FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname IN ('public', 'bullmq') AND c.relkind IN ('r', 'p', 'v', 'm', 'S')
       AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'e')`,
  );
  if (rows[0]?.tables === 0) return;
  throw new BackupError(
    'The database is not empty. A restore needs an empty one, or a place without a data folder: before the first start, or as docs/operations/backup.md says.',
  );
}

/** The tables to load by name, with the columns in the order of the backup. */
function matchTables(
  made: readonly CatalogueTable[],
  { tables }: BackupContents,
): ReadonlyMap<string, BackedUpTable> {
  const shapeOf = (table: CatalogueTable): string => `${table.name} ${[...table.columns].sort().join(' ')}`;
  const wanted = tables.map(shapeOf).sort().join('\n');
  if (wanted !== made.map(shapeOf).sort().join('\n'))
    throw new BackupError(
      'The tables of the backup are not those of its version: it is damaged, or the database was changed.',
    );
  return new Map(tables.map((table) => [table.name, table]));
}

async function loadTable(
  client: pg.ClientBase,
  table: BackedUpTable | undefined,
  rows: AsyncIterable<Buffer>,
): Promise<void> {
  if (table === undefined) throw new BackupError('The backup has a table that its manifest does not name.');
  const copy = client.query(from(`COPY ${copyTarget(table)} FROM STDIN`));
  await refusing(`The table ${table.name} of the backup cannot be loaded`, () => pipeline(rows, copy));
  // PostgreSQL ends at a line with a mark of the end.
  if (copy.rowCount !== table.rows)
    throw new BackupError(`The table ${table.name} of the backup has other rows than its manifest says.`);
}

/** Foreign keys between tables that are loaded one after the other; the result makes them again, and checks all rows. */
async function dropForeignKeys(client: pg.ClientBase): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(
    `SELECT conrelid::regclass::text AS table, quote_ident(conname) AS name, pg_get_constraintdef(oid) AS definition
     FROM pg_constraint WHERE contype = 'f' AND connamespace = 'public'::regnamespace ORDER BY 1, 2`,
  );
  for (const { table, name } of rows) await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`);
  return async () => {
    for (const { table, name, definition } of rows)
      await refusing('The rows of the backup contradict each other', () =>
        client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${definition}`),
      );
  };
}

async function setSequences(client: pg.ClientBase, { sequences }: BackupContents): Promise<void> {
  const { rows: made } = await client.query<{ name: string }>(
    `SELECT sequencename::text AS name FROM pg_sequences WHERE schemaname = 'public'`,
  );
  const names = (some: readonly { readonly name: string }[]) =>
    some
      .map(({ name }) => name)
      .sort()
      .join(' ');
  if (names(made) !== names(sequences))
    throw new BackupError('The sequences of the backup are not those of its version.');
  await refusing('The sequences of the backup cannot be set', async () => {
    await client.query(
      `SELECT setval(format('public.%I', s.sequencename)::regclass, given.value)
     FROM pg_sequences s JOIN unnest($1::text[], $2::bigint[]) AS given(name, value) ON given.name = s.sequencename
     WHERE s.schemaname = 'public' AND given.value IS NOT NULL`,
      [sequences.map(({ name }) => name), sequences.map(({ value }) => value)],
    );
  });
}

/** Throws BackupError if PostgreSQL refuses values (the SQLSTATE classes 22 and 23). */
async function refusing(what: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (!(cause instanceof pg.DatabaseError) || !/^2[23]/.test(cause.code ?? '')) throw cause;
    throw new BackupError(`${what}: ${cause.message}.`, { cause });
  }
}
