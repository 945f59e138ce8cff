import { readFileSync } from 'node:fs';
import path from 'node:path';
import { onDatabase } from '@plimsoll/testing';

/** The names of the migrations that the baseline replaced. */
export const replacedNames: readonly string[] = readFileSync(
  path.join(__dirname, 'testdata/replaced-migrations.txt'),
  'utf8',
)
  .trim()
  .split('\n');

/**
 * Gives an empty database the tables and records of a version before the baseline, without functions and triggers, and
 * with a view that migrations may drop.
 */
export async function makeReplaced(url: string, names: readonly string[] = replacedNames): Promise<void> {
  const baseline = path.join(__dirname, '../../../prisma/migrations/20261129000000_baseline/migration.sql');
  await onDatabase(url, (client) =>
    client.query(`${readFileSync(baseline, 'utf8')}
      CREATE VIEW host_overview AS SELECT id FROM hosts;
      CREATE TABLE _prisma_migrations (id VARCHAR(36) PRIMARY KEY NOT NULL, checksum VARCHAR(64) NOT NULL,
        finished_at TIMESTAMPTZ, migration_name VARCHAR(255) NOT NULL, logs TEXT, rolled_back_at TIMESTAMPTZ,
        started_at TIMESTAMPTZ NOT NULL DEFAULT now(), applied_steps_count INTEGER NOT NULL DEFAULT 0);
      INSERT INTO _prisma_migrations (id, checksum, migration_name, finished_at)
        SELECT n::text, '', name, now() FROM unnest('{${names.join(',')}}'::text[]) WITH ORDINALITY AS m (name, n)`),
  );
}

/** What migrations make: objects, privileges, first rows, and their records. */
export function catalogOf(url: string): Promise<readonly (readonly string[])[]> {
  return onDatabase(url, async (client) => {
    const { rows } = await client.query<string[]>({ text: catalog, rowMode: 'array' });
    return rows;
  });
}

const ours = `relnamespace::regnamespace::text IN ('public', 'bullmq')`;
const catalog = `
  SELECT 'column', attrelid::regclass::text, attname, format_type(atttypid, atttypmod), attnotnull::text, attacl::text
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid WHERE ${ours} AND attnum > 0 AND NOT attisdropped
  UNION ALL SELECT 'relation', oid::regclass::text, relkind::text, relowner::regrole::text, relacl::text, reloptions::text
    FROM pg_class WHERE ${ours}
  UNION ALL SELECT 'view', oid::regclass::text, pg_get_viewdef(oid), '', '', '' FROM pg_class
    WHERE relkind = 'v' AND relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'constraint', conrelid::regclass::text, conname, pg_get_constraintdef(oid), '', ''
    FROM pg_constraint WHERE connamespace = 'public'::regnamespace
  UNION ALL SELECT 'index', indexrelid::regclass::text, pg_get_indexdef(indexrelid), '', '', '' FROM pg_index
    JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'function', oid::regprocedure::text, pg_get_functiondef(oid), proowner::regrole::text, proacl::text, ''
    FROM pg_proc WHERE pronamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger', tgrelid::regclass::text, pg_get_triggerdef(oid), '', '', '' FROM pg_trigger WHERE NOT tgisinternal
  UNION ALL SELECT 'migration', migration_name, checksum, (finished_at IS NOT NULL)::text, rolled_back_at::text, ''
    FROM _prisma_migrations
  UNION ALL SELECT 'state', encode(digest, 'hex'), version, '', '', '' FROM schema_state
  UNION ALL SELECT 'rows', (SELECT count(*) FROM audit_chain)::text, (SELECT count(*) FROM history_bounds)::text,
    (SELECT count(*) FROM interning_epoch)::text, (SELECT count(*) FROM racks)::text, ''
  ORDER BY 1, 2, 3, 4`;
