import type { Transaction } from '../database.ts';

/** Locks a host against its deletion, before anything of it, as everybody does; false when it is gone. */
export async function lockHost(tx: Transaction, hostId: string): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT FROM hosts WHERE id = $1 FOR KEY SHARE', [hostId]);
  return rowCount === 1;
}
