import type { PgTransaction } from '../connection/pg-transaction.ts';
import { lockRow } from '../connection/row-locks.ts';
import type { Transaction } from '../connection/transaction.ts';
import { isUuid } from '../uuid.ts';

/** Locks a host against deletion, before any other row of it. False if the host does not exist. */
export async function lockHost(tx: Transaction, hostId: string): Promise<boolean> {
  return isUuid(hostId) && lockRow(tx, 'hosts', hostId, 'keyShare');
}

/** `lockHost` for transactions that use pg only (decision 0057). */
export async function lockHostBySql(tx: PgTransaction, hostId: string): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT FROM hosts WHERE id = $1 FOR KEY SHARE', [hostId]);
  return rowCount === 1;
}
