import { createHash } from 'node:crypto';
import type { PgTransaction } from './pg-transaction.ts';

const key = createHash('sha256').update('plimsoll matching').digest().readBigInt64BE(0).toString();

/**
 * Keeps advisories and matches unchanged until the transaction ends. The lock is shared: any number of transactions can
 * hold it.
 */
export async function holdAdvisories(tx: PgTransaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [key]);
}

/** Blocks matching and counting until the transaction ends, so that the holder may change advisories. */
export async function changeAdvisories(tx: PgTransaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [key]);
}
