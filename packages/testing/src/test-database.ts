import { randomUUID } from 'node:crypto';
import { type AppName, type Database, grantDatabase, openDatabase } from '@plimsoll/db';
import pg from 'pg';
import { reusedPrisma } from './reused-prisma.ts';
import { testRoles, testUrlOf } from './test-roles.ts';
import { databaseUrl, templateDatabase } from './test-servers.ts';

/** A migrated database for one test file. */
export interface TestDatabase {
  /** The superuser's. */
  readonly url: string;
  /** The superuser's connection, for preparation and checks of a test. */
  readonly db: Database;
  /** The URL of an app's role. */
  urlOf(app: AppName): string;
  /** The database with the privileges of an app's role: for the code under test. */
  as(app: AppName): Database;
  /** Closes every `Database` of it and deletes the database, even if others are connected. */
  drop(): Promise<void>;
}

/** Creates a migrated database on the server of this test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = testPostgresUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await onDatabase(serverUrl, (client) =>
    client.query(`CREATE DATABASE ${name} TEMPLATE ${templateDatabase} STRATEGY file_copy`),
  );
  const url = databaseUrl(serverUrl, name);
  await onDatabase(url, (client) => grantDatabase(client, testRoles));
  let dropping = false;
  const open = (openUrl: string): Database =>
    openDatabase({
      databaseUrl: openUrl,
      poolSize: 10,
      applicationName: 'plimsoll test',
      prismaFor: reusedPrisma,
      onIdleError: (error) => {
        // A pool ends before the server has closed all its connections; errors of those that the drop closes are
        // expected.
        if (!dropping) throw error;
      },
    });
  const db = open(url);
  const opened = new Map<AppName, Database>();
  return {
    url,
    db,
    urlOf: (app) => testUrlOf(url, app),
    as(app) {
      const own = opened.get(app) ?? open(testUrlOf(url, app));
      opened.set(app, own);
      return own;
    },
    async drop() {
      dropping = true;
      await Promise.all([db, ...opened.values()].map((each) => each.close()));
      await onDatabase(serverUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
    },
  };
}

/** Runs `work` with a database without tables and the superuser's connection to it; deletes the database. */
export async function withEmptyDatabase<T>(work: (url: string, client: pg.Client) => Promise<T>): Promise<T> {
  const serverUrl = testPostgresUrl();
  const name = `empty_${randomUUID().replaceAll('-', '')}`;
  await onDatabase(serverUrl, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = databaseUrl(serverUrl, name);
  try {
    return await onDatabase(url, (client) => work(url, client));
  } finally {
    await onDatabase(serverUrl, (client) => client.query(`DROP DATABASE ${name} WITH (FORCE)`));
  }
}

/** The Postgres of this test run. */
export function testPostgresUrl(): string {
  const url = process.env['TEST_POSTGRES_URL'];
  if (url === undefined) throw new Error('no test server: run this through jest.config.mjs');
  return url;
}

/** The Redis of this test run; null if the machine has none. */
export function testRedisUrl(): string | null {
  return process.env['TEST_REDIS_URL'] ?? null;
}

/** The folder of the collectors and the agent's script, built from the sources of this test run. */
export function testHostScripts(): string {
  const folder = process.env['TEST_HOST_SCRIPTS'];
  if (folder === undefined) throw new Error('no scripts for hosts: run this through jest.config.mjs');
  return folder;
}

/** Runs `work` on a separate connection. */
export async function onDatabase<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
