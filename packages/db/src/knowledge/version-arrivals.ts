import type { PackageVersionId } from '@plimsoll/model';
import type { PgTransaction } from '../core/database.ts';
import type { Statements } from '../core/transaction.ts';

/** Package versions that one statement stored, and that were not matched yet. */
export interface Arrival {
  readonly n: string;
  readonly ids: readonly PackageVersionId[];
}

/**
 * SQL: the ids of package versions that were never matched. A statement that stores versions also stores their arrival,
 * so that no version can seem to be matched that is not.
 */
export const unmatchedIds = 'SELECT unnest(ids) FROM version_arrivals WHERE matched_at IS NULL';

/** The arrivals with versions that were never matched. */
export async function loadUnmatched(on: Statements): Promise<readonly Arrival[]> {
  const { rows } = await on.query<Arrival>(
    'SELECT a.n::text AS n, ids FROM version_arrivals a WHERE matched_at IS NULL ORDER BY a.n',
    [],
  );
  return rows;
}

/** Those of some package versions that were never matched. */
export async function loadUnmatchedOf(
  on: Statements,
  ids: readonly PackageVersionId[],
): Promise<ReadonlySet<PackageVersionId>> {
  const { rows } = await on.query<{ id: PackageVersionId }>(
    `SELECT id FROM (${unmatchedIds} AND ids && $1::int[]) u (id) WHERE id = ANY($1::int[])`,
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
}

/** Locks those of the arrivals that still have versions to match, in the common order. */
export async function lockUnmatched(
  tx: PgTransaction,
  numbers: readonly string[],
): Promise<readonly Arrival[]> {
  const { rows } = await tx.query<Arrival>(
    `SELECT n, ids FROM version_arrivals WHERE n = ANY($1::bigint[]) AND matched_at IS NULL ORDER BY n FOR UPDATE`,
    [numbers],
  );
  return rows;
}

/** Notes that versions of arrivals were matched. Those that were not become an arrival of their own. */
export async function noteMatched(
  tx: PgTransaction,
  arrivals: readonly Arrival[],
  isMatched: (id: PackageVersionId) => boolean,
): Promise<void> {
  const whole = arrivals.filter(({ ids }) => ids.every(isMatched));
  await tx.query('UPDATE version_arrivals SET matched_at = now() WHERE n = ANY($1::bigint[])', [
    whole.map(({ n }) => n),
  ]);
  for (const { n, ids } of arrivals) {
    const matched = ids.filter(isMatched);
    if (matched.length === 0 || matched.length === ids.length) continue;
    const left = ids.filter((id) => !isMatched(id));
    await tx.query('UPDATE version_arrivals SET ids = $2, matched_at = now() WHERE n = $1', [n, matched]);
    await tx.query('INSERT INTO version_arrivals (ids) VALUES ($1)', [left]);
  }
}
