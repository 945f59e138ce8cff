import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import type { PgTransaction } from '../database.ts';
import { decodePackageSet, encodePackageSet } from '../interning/package-set.ts';

/** Changes that are kept. A cache that has missed more of them starts from nothing. */
const keptChanges = 256;

/**
 * Records that the matches of package versions, or the statements that match them, have changed. Caches of what is
 * derived from them follow: see readVersionChanges. The caller holds the lock of changeAdvisories.
 */
export async function noteVersionChanges(
  tx: PgTransaction,
  versions: readonly PackageVersionId[],
): Promise<void> {
  await tx.query('INSERT INTO version_changes (ids) VALUES ($1)', [encodePackageSet(versions).ids]);
  await tx.query('DELETE FROM version_changes WHERE n <= (SELECT max(n) FROM version_changes) - $1::int', [
    keptChanges,
  ]);
}

/** The changes after a point in time. */
export interface VersionChanges {
  /** The newest change, to continue from; null if there is none. */
  readonly newest: string | null;
  /** The changed versions; null if they are not known, so that every version may have changed. */
  readonly versions: readonly PackageVersionId[] | null;
}

/**
 * The changes after the change `seen`, or all of them for null. They are not known if `seen` is no longer kept, or if
 * the transaction that made it was rolled back. The caller holds the lock of holdAdvisories or changeAdvisories.
 */
export async function readVersionChanges(
  client: pg.PoolClient,
  seen: string | null,
): Promise<VersionChanges> {
  const { rows } = await client.query<{ n: string; ids: Uint8Array | null }>(
    `SELECT n, CASE WHEN n > $1 THEN ids END AS ids FROM version_changes
     WHERE n >= coalesce($1, (SELECT max(n) FROM version_changes)) ORDER BY n`,
    [seen],
  );
  const newest = rows.at(-1)?.n ?? null;
  if (seen === null || rows[0]?.n !== seen) return { newest, versions: null };
  return { newest, versions: rows.flatMap(({ ids }) => (ids === null ? [] : decodePackageSet(ids))) };
}
