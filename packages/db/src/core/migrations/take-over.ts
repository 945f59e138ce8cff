import { createHash } from 'node:crypto';
import type pg from 'pg';
import { inTransactionAs } from './locked-client.ts';
import { type AppliedMigration, readRecords, recordMigration } from './migration-records.ts';
import { SchemaError } from './schema-error.ts';
import type { Script } from './schema-files.ts';

/** The migrations that the baseline replaced: their schema is the baseline's. */
const replaced = {
  count: 85,
  /** SHA-256 of their names in order, one a line. */
  digest: 'f6f304a50451a198dc401bb06fde8a401d46cb877ae63667305dd5b9a39554c2',
  /** The last version that had them, a commit. */
  commit: '4b08a674',
} as const;

const wayToGo = `Start version ${replaced.commit} on this database once, then this version.`;

/**
 * Recognises a database that was migrated before the baseline: records the baseline instead of the migrations that it
 * replaced, if all of these were applied. Leaves other databases alone. Throws SchemaError if only some were applied.
 */
export async function takeOver(client: pg.Client, baseline: Script, role: string | null): Promise<void> {
  const applied = await readRecords(client);
  // An earlier version that was tried since then may have left an attempt, which failed.
  if (applied.some(({ name }) => name >= baseline.name)) return;
  const unfinished = await inTransactionAs(client, role, () => dropUnfinished(client));
  if (unfinished !== null) {
    throw new SchemaError(
      `An earlier version did not finish the migration ${unfinished}. Its record is now marked as rolled back. ${wayToGo}`,
    );
  }
  if (applied.length === 0) return;
  if (recognise(applied, baseline) === null) {
    throw new SchemaError(
      `The database has ${applied.length} migrations of versions before ${replaced.commit}, whose ${replaced.count} migrations this version replaces. ${wayToGo}`,
    );
  }
  await inTransactionAs(client, role, async () => {
    await client.query('DELETE FROM _prisma_migrations');
    await recordMigration(client, baseline);
  });
}

/** The migrations of a schema, with the baseline instead of those that it replaced; null: only some of these were applied. */
export function recognise(
  applied: readonly AppliedMigration[],
  baseline: Script,
): readonly AppliedMigration[] | null {
  if (applied.some(({ name }) => name === baseline.name)) return applied;
  return digestOf(applied) === replaced.digest ? [baseline] : null;
}

/**
 * Marks migrations before the baseline that did not finish as rolled back, as `prisma migrate resolve` does,
 * so that the version that has them repeats them: each of them was one transaction. Returns the name of the first.
 */
async function dropUnfinished(client: pg.Client): Promise<string | null> {
  const { rows } = await client.query<{ name: string }>(
    `UPDATE _prisma_migrations SET rolled_back_at = now()
     WHERE finished_at IS NULL AND rolled_back_at IS NULL RETURNING migration_name AS name`,
  );
  return rows[0]?.name ?? null;
}

function digestOf(applied: readonly AppliedMigration[]): string {
  return createHash('sha256')
    .update(applied.map(({ name }) => name).join('\n'))
    .digest('hex');
}
