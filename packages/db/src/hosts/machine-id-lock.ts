import type { Transaction } from '../database.ts';

/**
 * Makes hosts that come by one machine id do so one after the other, until their transactions end: two clones at the
 * same moment must not both find nobody. Who takes several takes them in the order of the ids.
 */
export async function lockMachineId(tx: Transaction, machineId: string): Promise<void> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('machine_id ' || $1, 0))`, [machineId]);
}
