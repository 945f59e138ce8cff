import { lockRow } from '../connection/row-locks.ts';
import type { Transaction } from '../connection/transaction.ts';
import type { Transaction as PgTransaction } from '../database.ts';
import { isUuid } from '../uuid.ts';

/** Locks a host against its deletion, before anything of it, as every transaction does. False when it is gone. */
export async function lockHost(tx: Transaction, hostId: string): Promise<boolean> {
  return isUuid(hostId) && lockRow(tx, 'hosts', hostId, 'keyShare');
}

/** `lockHost` in a transaction of pg alone (decision 0057). */
export async function lockHostBySql(tx: PgTransaction, hostId: string): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT FROM hosts WHERE id = $1 FOR KEY SHARE', [hostId]);
  return rowCount === 1;
}
