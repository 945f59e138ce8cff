import type { Statements } from '../connection/statements.ts';

/**
 * Serializes transactions that add or change hosts with the same machine id, in any case and form, until they end.
 * Otherwise two clones that enrol at once would not find each other. A transaction takes several locks in the order of
 * `machine_key`.
 */
export async function lockMachineId(tx: Statements, machineId: string): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('machine_id ' || machine_key($1), 0))::text AS locked`,
    [machineId],
  );
}

/**
 * The oldest other host with a machine id, in any case and form; null if there is none. Takes the lock of that id
 * first.
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
