import { hasDuePolicy } from './has-due-policy.ts';
import { blockCounting, holdTerms } from './locks.ts';
import type { Statements } from './transaction.ts';

/** SQL: whether a waiver applies now. It ends at its time even if no scheduler has noted the end. */
export const waiverApplies = 'w.ended_at IS NULL AND w.expires_at > now()';

/** Hosts whose terms changed per piece. */
const hostsPerPiece = 500;

/**
 * Has hosts counted again whose terms the transaction changes.
 * @param hosts a query with one column, the ids; `values` are its parameters. The caller holds the lock of changeTerms,
 *   and rings `host-recount` after the commit.
 */
export async function recountTerms(
  tx: Statements,
  hosts: string,
  values: readonly unknown[] = [],
): Promise<void> {
  await tx.query(hostPieces(hosts), [...values]);
}

/**
 * To be called before a transaction changes tags or the exposure of hosts, and before it locks any row: whether their
 * terms can depend on these. Then the caller has the hosts counted again by recountTerms; counting waits until the transaction ends.
 */
export async function beforeTagsChange(tx: Statements): Promise<boolean> {
  await holdTerms(tx);
  const { rows } = await tx.query<{ depends: boolean }>(
    `SELECT EXISTS (SELECT FROM waivers w WHERE ${waiverApplies} AND w.tags <> '{}') OR ${hasDuePolicy} AS depends`,
  );
  const depends = rows[0]?.depends === true;
  if (depends) await blockCounting(tx);
  return depends;
}

/**
 * SQL: divides hosts whose terms changed into pieces.
 * @param hosts a query with one column, the ids.
 */
function hostPieces(hosts: string): string {
  return `INSERT INTO recount_pieces (hosts)
    SELECT array_agg(id ORDER BY id) FROM (
      SELECT id, (row_number() OVER (ORDER BY id) - 1) / ${hostsPerPiece} AS piece FROM (${hosts}) h (id)) p
    GROUP BY piece ORDER BY piece`;
}
