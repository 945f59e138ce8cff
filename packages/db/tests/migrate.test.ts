import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestDatabase, type TestDatabase, testPostgresUrl } from '@plimsoll/testing';
import pg from 'pg';
import { applyMigrations, diffSchemas } from '../src/index.ts';

const root = path.resolve(__dirname, '../../..');
const migrationsDir = path.join(root, 'prisma/migrations');

/** A database without any tables. */
async function withEmptyDatabase<T>(work: (url: string) => Promise<T>): Promise<T> {
  const name = `empty_${process.pid}_${Date.now()}`;
  const server = new pg.Client({ connectionString: testPostgresUrl() });
  await server.connect();
  try {
    await server.query(`CREATE DATABASE ${name}`);
    const url = new URL(testPostgresUrl());
    url.pathname = `/${name}`;
    return await work(url.href);
  } finally {
    await server.query(`DROP DATABASE ${name} WITH (FORCE)`);
    await server.end();
  }
}

async function rows(url: string, statement: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query({ text: statement, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

const columns = `SELECT c.table_name, column_name, data_type, udt_name, is_nullable, column_default
  FROM information_schema.columns c JOIN information_schema.tables t USING (table_schema, table_name)
  WHERE c.table_schema = 'public' AND t.table_type = 'BASE TABLE' AND c.table_name <> '_prisma_migrations'
  ORDER BY c.table_name, column_name`;
const constraints = `SELECT conrelid::regclass::text, conname, pg_get_constraintdef(oid) FROM pg_constraint
  WHERE connamespace = 'public'::regnamespace AND conrelid::regclass::text <> '_prisma_migrations' ORDER BY 1, 2`;

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

describe('migrations', () => {
  it('make exactly the tables, columns and constraints of schema.prisma', async () => {
    const schema = await readFile(path.join(root, 'prisma/schema.prisma'), 'utf8');
    await withEmptyDatabase(async (url) => {
      await rows(url, await diffSchemas(url, null, schema));
      expect(await rows(database.url, columns)).toEqual(await rows(url, columns));
      expect(await rows(database.url, constraints)).toEqual(await rows(url, constraints));
    });
  });

  it('are applied once by any number of processes at the same time, and recorded as Prisma records them', async () => {
    await withEmptyDatabase(async (url) => {
      const options = { databaseUrl: url, migrationsDir };
      const applied = await Promise.all([1, 2, 3].map(() => applyMigrations(options)));
      expect(applied.filter((names) => names.length > 0)).toHaveLength(1);
      expect(await applyMigrations(options)).toEqual([]);
      const recorded = await rows(
        url,
        `SELECT migration_name, applied_steps_count, finished_at IS NOT NULL, rolled_back_at, length(checksum)
         FROM _prisma_migrations ORDER BY migration_name`,
      );
      expect(recorded).toEqual(applied.flat().map((name) => [name, 1, true, null, 64]));
    });
  });
});
