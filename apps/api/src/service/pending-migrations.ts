import { readdir } from 'node:fs/promises';
import type { Database } from '@plimsoll/db';

/**
 * Names of the migrations in a folder that a database lacks, in order. Rejects when the database does not answer.
 * `_prisma_migrations` is Prisma's own record.
 */
export async function findPendingMigrations(
  { prisma }: Database,
  migrationsDir: string,
): Promise<readonly string[]> {
  const entries = await readdir(migrationsDir, { withFileTypes: true });
  const wanted = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  const [table] = await prisma.$queryRaw<{ exists: boolean }[]>`
    SELECT to_regclass('_prisma_migrations') IS NOT NULL AS exists`;
  if (table?.exists !== true) return wanted.sort();
  const applied = await prisma.$queryRaw<{ migration_name: string }[]>`
    SELECT migration_name FROM _prisma_migrations WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL`;
  const known = new Set(applied.map(({ migration_name }) => migration_name));
  return wanted.filter((name) => !known.has(name)).sort();
}
