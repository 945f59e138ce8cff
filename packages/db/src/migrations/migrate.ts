import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory, DriverAdapterError } from '@prisma/driver-adapter-utils';
import pg from 'pg';
import { type Database, sessionOptions } from '../database.ts';

/**
 * The key of the PostgreSQL advisory lock that lets one process at a time migrate: the first 8 bytes of a fixed hash.
 */
const migrationLock = createHash('sha256').update('plimsoll migrations').digest().readBigInt64BE(0);

/** The location of the migrations, and the database to migrate. */
export interface MigrateOptions {
  readonly databaseUrl: string;
  /** Absolute path of `prisma/migrations`. */
  readonly migrationsDir: string;
}

/**
 * Applies all missing migrations in order with Prisma's own engine as WebAssembly, so that `_prisma_migrations` has the
 * same content as after `prisma migrate deploy`. Safe to call from several processes at once: one works, the others
 * wait and find nothing to do. Throws the engine's error if a migration fails.
 * @returns the names of the migrations that were applied.
 */
export async function applyMigrations(options: MigrateOptions): Promise<readonly string[]> {
  return withMigrationLock(options.databaseUrl, () => applyPending(options, null));
}

/**
 * Runs `work` with the connection that holds the migration lock, so that no other process migrates the database
 * meanwhile.
 */
export async function withMigrationLock<T>(
  databaseUrl: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'plimsoll migrate' });
  await client.connect();
  try {
    await client.query('SELECT pg_advisory_lock($1)', [migrationLock.toString()]);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * applyMigrations for a caller that holds the lock. Created objects belong to `role` or, if it is null, to the URL's
 * user.
 */
export async function applyPending(
  { databaseUrl, migrationsDir }: MigrateOptions,
  role: string | null,
): Promise<readonly string[]> {
  return withSchemaEngine(databaseUrl, role, async (engine) => {
    const { appliedMigrationNames } = await engine.applyMigrations({
      migrationsList: await readMigrations(migrationsDir),
      filters: { externalTables: [], externalEnums: [] },
    });
    return appliedMigrationNames;
  });
}

/**
 * Names of a folder's migrations that a database lacks, in order, according to Prisma's table `_prisma_migrations`.
 * Rejects if the database does not answer.
 */
export async function findPendingMigrations(
  { pool }: Database,
  migrationsDir: string,
): Promise<readonly string[]> {
  const wanted = await migrationNames(migrationsDir);
  const { rows: tables } = await pool.query(
    `SELECT FROM pg_class WHERE oid = to_regclass('_prisma_migrations')`,
  );
  if (tables.length === 0) return wanted;
  const { rows } = await pool.query<{ migration_name: string }>(
    'SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL',
  );
  const applied = new Set(rows.map(({ migration_name }) => migration_name));
  return wanted.filter((name) => !applied.has(name));
}

/**
 * The SQL that changes one Prisma schema into another; `from` null is an empty database. Needs a scratch database only,
 * which it neither reads nor changes.
 */
export async function diffSchemas(databaseUrl: string, from: string | null, to: string): Promise<string> {
  const schema = (content: string) => ({
    tag: 'schemaDatamodel' as const,
    files: [{ path: 'schema.prisma', content }],
    configDir: '.',
  });
  return withSchemaEngine(databaseUrl, null, async (engine) => {
    const { stdout } = await engine.diff({
      from: from === null ? { tag: 'empty' } : schema(from),
      to: schema(to),
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    });
    return stdout ?? '';
  });
}

type SchemaEngine = import('@prisma/schema-engine-wasm').SchemaEngine;

async function withSchemaEngine<T>(
  databaseUrl: string,
  role: string | null,
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  // The engine leaves its adapter's connections open; connections of this pool can be closed.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1, options: withRole(role) });
  try {
    bindings ??= instantiateBindings();
    const adapter = bindMigrationAwareSqlAdapterFactory(new WholeScriptsPg(pool));
    const engine = await (await bindings).SchemaEngine.new(
      { datamodels: undefined },
      () => undefined,
      adapter,
    );
    try {
      return await work(engine);
    } finally {
      engine.free();
    }
  } finally {
    await pool.end();
  }
}

/**
 * The connection options for acting as a role from the first statement on; `role` contains no space and no backslash.
 */
function withRole(role: string | null): string {
  return role === null ? sessionOptions : `${sessionOptions} -c role=${role}`;
}

/**
 * Prisma's adapter splits scripts at every semicolon, even inside function bodies. The server parses a script correctly
 * and applies it completely or not at all.
 */
class WholeScriptsPg extends PrismaPg {
  override async connect(): ReturnType<PrismaPg['connect']> {
    const adapter = await super.connect();
    adapter.executeScript = async (script) => {
      await adapter
        .underlyingDriver()
        .query(script)
        .catch((error: unknown) => {
          throw error instanceof pg.DatabaseError ? toldToTheEngine(error) : error;
        });
    };
    return adapter;
  }
}

function toldToTheEngine({ code, severity, message, detail, hint }: pg.DatabaseError): DriverAdapterError {
  return new DriverAdapterError({
    kind: 'postgres',
    code: code ?? '',
    severity: severity ?? '',
    message,
    detail,
    hint,
    column: undefined,
  });
}

/**
 * The bindings module keeps its WebAssembly instance in a global variable: a second instance would corrupt the first.
 */
let bindings: ReturnType<typeof instantiateBindings> | undefined;

async function instantiateBindings() {
  // Only bundlers can load the .wasm file of the package's main entry, so this instantiates it directly.
  const module = await import('@prisma/schema-engine-wasm/schema_engine_bg');
  const entry = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg');
  const compiled = await WebAssembly.compile(await readFile(entry.replace(/\.js$/, '.wasm')));
  const instance = await WebAssembly.instantiate(compiled, {
    './schema_engine_bg.js': withoutLastingTimers(module),
  });
  module.__wbg_set_wasm(instance.exports);
  const start = instance.exports['__wbindgen_start'];
  if (typeof start === 'function') start();
  return module;
}

/** The engine never clears the timer for its lock timeout, which would keep the process alive for ten more seconds. */
function withoutLastingTimers(module: object): Record<string, (...args: never[]) => unknown> {
  return Object.fromEntries(
    Object.entries(module).map(([name, imported]) => {
      if (!name.startsWith('__wbg_setTimeout_') || typeof imported !== 'function') return [name, imported];
      return [name, (...args: unknown[]) => (imported(...args) as NodeJS.Timeout).unref()]; // Node's own setTimeout.
    }),
  );
}

async function readMigrations(baseDir: string) {
  const names = await migrationNames(baseDir);
  return {
    baseDir,
    lockfile: {
      path: 'migration_lock.toml',
      content: await readFile(path.join(baseDir, 'migration_lock.toml'), 'utf8'),
    },
    shadowDbInitScript: '',
    migrationDirectories: await Promise.all(
      names.map(async (name) => ({
        path: name,
        migrationFile: {
          path: 'migration.sql',
          content: {
            tag: 'ok' as const,
            value: await readFile(path.join(baseDir, name, 'migration.sql'), 'utf8'),
          },
        },
      })),
    ),
  };
}

async function migrationNames(migrationsDir: string): Promise<readonly string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)
    .sort();
}
