import { createHash } from 'node:crypto';
import type { Transaction } from '../database.ts';

const key = createHash('sha256').update('plimsoll matching').digest().readBigInt64BE(0).toString();

/** Locks advisories and matches against changes until the transaction ends. Shared: any number of transactions may hold it. */
export async function holdAdvisories(tx: Transaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [key]);
}

/** Locks out matching and counting until the transaction ends, so that the holder may change advisories. */
export async function changeAdvisories(tx: Transaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [key]);
}
