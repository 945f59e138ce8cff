import type pg from 'pg';
import { SchemaError } from './schema-error.ts';

/** The oldest major version of PostgreSQL whose SQL is enough: 16 has `pg_input_is_valid`. */
const leastMajor = 16;

/** Throws SchemaError if the database's server is too old for the statements of this program. */
export async function requireServer(client: pg.ClientBase | pg.Pool): Promise<void> {
  const { rows } = await client.query<{ major: number; version: string }>(
    `SELECT current_setting('server_version_num')::int / 10000 AS major, split_part(current_setting('server_version'), ' ', 1) AS version`,
  );
  const [server] = rows;
  if (server !== undefined && server.major < leastMajor) {
    throw new SchemaError(
      `The server of database.url is PostgreSQL ${server.version}, which is too old: Plimsoll needs ${leastMajor} or newer. Upgrade the server, or set database.url to a database on a newer one.`,
    );
  }
}
