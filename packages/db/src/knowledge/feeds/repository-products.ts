import type { RepositoryProducts } from '@plimsoll/advisories';
import type pg from 'pg';
import { rowTable } from '../../core/row-table.ts';
import { resubmitFollowers } from '../../ingest/resubmit-snapshots.ts';

/** The result of importing repositories. Hosts whose followed line may change are parsed again. */
export interface RepositoryOutcome {
  readonly changed: number;
  readonly removed: number;
  readonly hostsResubmitted: number;
}

/**
 * Stores the products of repositories, removes unnamed repositories if `isComplete`, and resubmits the newest snapshots
 * of hosts that have a changed repository enabled, because parsing determines the followed line. Runs in the caller's
 * transaction.
 */
export async function applyRepositories(
  client: pg.PoolClient,
  repositories: readonly RepositoryProducts[],
  isComplete: boolean,
): Promise<RepositoryOutcome> {
  const { table, columns, values } = rowTable('repository text, products text[]', repositories);
  const changed = await client.query<{ repository: string }>(
    `INSERT INTO repository_products (${columns}) SELECT * FROM ${table} n ORDER BY repository
     ON CONFLICT (repository) DO UPDATE SET products = excluded.products
       WHERE repository_products.products <> excluded.products RETURNING repository`,
    values,
  );
  const removed = isComplete
    ? await client.query<{ repository: string }>(
        'DELETE FROM repository_products WHERE repository <> ALL($1::text[]) RETURNING repository',
        [values[0]],
      )
    : { rows: [] };
  const touched = [...changed.rows, ...removed.rows].map(({ repository }) => repository);
  return {
    changed: changed.rows.length,
    removed: removed.rows.length,
    hostsResubmitted: await resubmitFollowers(client, touched),
  };
}

/** The number of stored repositories, and of those among them that an import lacks. */
export async function repositoryShrinkage(
  client: pg.PoolClient,
  repositories: readonly string[],
): Promise<{ readonly stored: number; readonly lacking: number }> {
  const { rows } = await client.query<{ stored: number; lacking: number }>(
    `SELECT count(*)::int AS stored, count(*) FILTER (WHERE repository <> ALL($1::text[]))::int AS lacking
     FROM repository_products`,
    [repositories],
  );
  return rows[0] ?? { stored: 0, lacking: 0 };
}
