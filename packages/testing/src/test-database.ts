import { randomUUID } from 'node:crypto';
import { type Database, openDatabase } from '@plimsoll/db';
import pg from 'pg';
import { databaseUrl, templateDatabase } from './test-servers.ts';

/** A migrated database that one test file has for itself. */
export interface TestDatabase {
  readonly url: string;
  readonly db: Database;
  /** Closes `db` and deletes the database, whoever else is still connected. */
  drop(): Promise<void>;
}

/** Makes a fresh migrated database on the server of this test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = testPostgresUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, `CREATE DATABASE ${name} TEMPLATE ${templateDatabase}`);
  const url = databaseUrl(serverUrl, name);
  let dropping = false;
  const db = openDatabase({
    databaseUrl: url,
    poolSize: 10,
    applicationName: 'plimsoll test',
    onIdleError: (error) => {
      // A pool ends before the server has seen all of its connections go; those the drop cuts off are meant.
      if (!dropping) throw error;
    },
  });
  return {
    url,
    db,
    async drop() {
      dropping = true;
      await db.close();
      await onServer(serverUrl, `DROP DATABASE ${name} WITH (FORCE)`);
    },
  };
}

/** The Postgres of this test run. */
export function testPostgresUrl(): string {
  const url = process.env['TEST_POSTGRES_URL'];
  if (url === undefined) throw new Error('no test server: run this through jest.config.mjs');
  return url;
}

/** The Redis of this test run; null where the machine has none. */
export function testRedisUrl(): string | null {
  return process.env['TEST_REDIS_URL'] ?? null;
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
