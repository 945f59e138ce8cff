import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { PrismaPg } from '@prisma/adapter-pg';
import { bindMigrationAwareSqlAdapterFactory } from '@prisma/driver-adapter-utils';
import pg from 'pg';

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
  return withSchemaEngine(databaseUrl, async (engine) => {
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
  work: (engine: SchemaEngine) => Promise<T>,
): Promise<T> {
  // The engine leaves its adapter's connections open; connections of this pool can be closed.
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 });
  try {
    bindings ??= instantiateBindings();
    const adapter = bindMigrationAwareSqlAdapterFactory(new PrismaPg(pool));
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
