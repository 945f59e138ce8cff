import type { TestDatabase } from '@plimsoll/testing';

/** The rows of every table of the service by name. */
export async function tableSizes({ db }: TestDatabase): Promise<ReadonlyMap<string, number>> {
  const { rows } = await db.pool.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = 'public' AND c.relkind IN ('r', 'p') ORDER BY 1`,
  );
  const sizes = new Map<string, number>();
  for (const { name } of rows) {
    const counted = await db.pool.query<{ n: number }>(`SELECT count(*)::int AS n FROM "${name}"`);
    sizes.set(name, counted.rows[0]?.n ?? 0);
  }
  return sizes;
}
