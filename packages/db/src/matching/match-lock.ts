import { createHash } from 'node:crypto';
import type { Transaction } from '../database.ts';

const key = createHash('sha256').update('plimsoll matching').digest().readBigInt64BE(0).toString();

/** Until the transaction ends, advisories and what they match stand still. Any number may hold it at once. */
export async function holdAdvisories(tx: Transaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [key]);
}

/** Until the transaction ends, nobody matches or counts: the holder may change advisories. */
export async function changeAdvisories(tx: Transaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [key]);
}
