import type { Readable } from 'node:stream';
import pg from 'pg';
import { to } from 'pg-copy-streams';
import { openClient } from '../migrations/locked-client.ts';
import {
  type BackedUpTable,
  type BackupContents,
  catalogueTables,
  copyTarget,
  readContents,
} from './backup-contents.ts';
import { BackupError } from './backup-error.ts';

/** One state of a database, until `close`. */
export interface BackupSnapshot {
  readonly contents: BackupContents;
  /** The rows of a table in PostgreSQL's text format of COPY, a line each. One table at a time, read to its end. */
  copy(table: BackedUpTable): Readable;
  close(): Promise<void>;
}

/** A migration may hold a table for a while; reading one takes as long as it takes. */
const settings = '-c lock_timeout=2min -c statement_timeout=0 -c idle_in_transaction_session_timeout=0';
const insufficientPrivilege = '42501';

/**
 * Opens one state of a whole database, made by any version, while others write. Until `close` its tables cannot be changed
 * by migrations. Throws BackupError if it has no tables, or the user may not read all of them.
 */
export async function openBackupSnapshot(databaseUrl: string): Promise<BackupSnapshot> {
  const client = await openClient(databaseUrl, 'plimsoll backup', settings);
  try {
    const tables = await catalogueTables(client);
    if (tables.length === 0)
      throw new BackupError('The database has no tables: there is nothing to back up.');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ, READ ONLY');
    // Before the first statement that reads, so that no migration comes between the state and the locks.
    await client.query(
      `LOCK TABLE ${tables.map(({ name }) => pg.escapeIdentifier(name)).join(', ')} IN ACCESS SHARE MODE`,
    );
    return {
      contents: await readContents(client),
      copy: (table) => client.query(to(`COPY ${copyTarget(table)} TO STDOUT`)),
      close: () => client.end(),
    };
  } catch (cause) {
    await client.end();
    if (!(cause instanceof pg.DatabaseError) || cause.code !== insufficientPrivilege) throw cause;
    throw new BackupError(
      `The user of database.url may not read all tables (${cause.message}): use the URL that "plimsoll migrate" gets.`,
      { cause },
    );
  }
}
