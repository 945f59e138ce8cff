import type { Statements } from '../connection/statements.ts';

/**
 * Makes hosts that come by one machine id, in whatever case and form, do so one after the other, until their transactions
 * end: otherwise two clones at the same moment would miss each other. A transaction takes several in the order of `machine_key`.
 */
export async function lockMachineId(tx: Statements, machineId: string): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('machine_id ' || machine_key($1), 0))::text AS locked`,
    [machineId],
  );
}

/**
 * The oldest other host that has a machine id, in whatever case and form; null where there is none. Takes the lock of that
 * id first.
 */
export async function findMachineIdConflict(
  tx: Statements,
  machineId: string,
  hostId: string,
): Promise<string | null> {
  if (machineId === '') return null;
  await lockMachineId(tx, machineId);
  const { rows } = await tx.query<{ id: string }>(
    'SELECT id FROM hosts WHERE machine_key(machine_id) = machine_key($1) AND id <> $2 ORDER BY id LIMIT 1',
    [machineId, hostId],
  );
  return rows[0]?.id ?? null;
}
