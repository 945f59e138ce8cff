import { createHash } from 'node:crypto';
import type pg from 'pg';
import type { PgTransaction } from '../connection/pg-transaction.ts';

const key = createHash('sha256').update('plimsoll interning').digest().readBigInt64BE(0).toString();

/** The epoch of interned rows. It increases each time rows are condemned. */
export async function readEpoch(on: Pick<pg.Pool, 'query'> | PgTransaction): Promise<number> {
  const { rows } = await on.query<{ epoch: number }>('SELECT epoch FROM interning_epoch');
  const epoch = rows[0]?.epoch;
  if (epoch === undefined) throw new Error('interning_epoch has no row');
  return epoch;
}

/**
 * Keeps the epoch from moving until the transaction ends, and returns it. The lock is shared: any number of
 * transactions can hold it.
 */
export async function holdEpoch(tx: PgTransaction): Promise<number> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [key]);
  return readEpoch(tx);
}

/** Moves the epoch and locks it exclusively until the transaction ends. Waits for the transactions that hold it. */
export async function moveEpoch(tx: PgTransaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [key]);
  await tx.query('UPDATE interning_epoch SET epoch = epoch + 1');
}
