import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { Prisma } from '../generated/client.ts';
import { isUuid, type PgTransaction } from './database.ts';
import { queryRows, type Statements, type Transaction } from './transaction.ts';

const matchLock = lockNumber('plimsoll matching');
const changeLock = lockNumber('plimsoll advisory change');
const termsLock = lockNumber('plimsoll host terms');
const importLock = lockNumber('plimsoll advisory import');

function lockNumber(name: string): string {
  return createHash('sha256').update(name).digest().readBigInt64BE(0).toString();
}

/**
 * Keeps advisories and matches unchanged until the transaction ends. The lock is shared: any number of transactions can
 * hold it.
 */
export async function holdAdvisories(tx: PgTransaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1)', [matchLock]);
}

/** Waits for what matches uploads or counts hosts now; what begins later waits until the transaction ends. */
export async function waitForMatching(tx: PgTransaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [matchLock]);
}

/**
 * Waits until no other import runs, for as long as it takes: imports of another process may take hours. The connection
 * holds the lock until `endImportTurn` or its end.
 */
export async function takeImportTurn(client: Statements): Promise<void> {
  await client.query('SET lock_timeout = 0');
  await client.query('SET statement_timeout = 0');
  await client.query('SELECT pg_advisory_lock($1)', [importLock]);
  await client.query('RESET lock_timeout');
  await client.query('RESET statement_timeout');
}

/** Lets the next import run. */
export async function endImportTurn(client: Statements): Promise<void> {
  await client.query('SELECT pg_advisory_unlock($1)', [importLock]);
}

/** Whether an import runs or waits for its turn. False in a transaction: none begins before the transaction ends. */
export async function isImporting(client: Statements): Promise<boolean> {
  // Outside of a transaction the lock ends at once.
  const { rows } = await client.query<{ free: boolean }>(
    'SELECT pg_try_advisory_xact_lock_shared($1) AS free',
    [importLock],
  );
  return rows[0]?.free !== true;
}

/** Keeps other transactions from changing advisories until this one ends, while uploads are still matched. */
export async function prepareChange(tx: PgTransaction): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1)', [changeLock]);
}

/**
 * Blocks matching and counting until the transaction ends, so that the holder may change what matching reads. Rows that
 * matching can refer to are deleted only under this lock.
 */
export async function changeAdvisories(tx: PgTransaction): Promise<void> {
  await prepareChange(tx);
  await waitForMatching(tx);
}

/** Milliseconds. Below PostgreSQL's deadlock_timeout: a statement that gives up earlier is never chosen to be aborted. */
const longestFlipWaitMs = 800;
const longestMatchWaitMs = 400;
const pauseMs = 200;

/**
 * `changeAdvisories` for a transaction that has already changed what matching reads, so that matching can wait for its
 * rows. Asks for the lock for less than a second at a time: meanwhile no matching begins, and what waits for a row gives
 * up (see waitBriefly). The caller holds the lock of prepareChange.
 */
export async function takeEffect(tx: PgTransaction): Promise<void> {
  for (;;) {
    await tx.query('SAVEPOINT taking_effect');
    try {
      await tx.query(`SET LOCAL lock_timeout = ${longestFlipWaitMs}`);
      await tx.query('SELECT pg_advisory_xact_lock($1)', [matchLock]);
      await tx.query('SET LOCAL lock_timeout TO DEFAULT');
      await tx.query('RELEASE SAVEPOINT taking_effect');
      return;
    } catch (error) {
      if (!isLockTimeout(error)) throw error;
      await tx.query('ROLLBACK TO SAVEPOINT taking_effect');
      await delay(pauseMs);
    }
  }
}

/** Makes statements of this transaction fail (isLockTimeout) that wait for a lock for half a second. */
export async function waitBriefly(tx: PgTransaction): Promise<void> {
  await tx.query(`SET LOCAL lock_timeout = ${longestMatchWaitMs}`);
}

/** Whether a statement failed because it waited too long for a lock. */
export function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '55P03'; // lock_not_available
}

/**
 * Blocks matching and counting, and other changes of what users decide about hosts (host-terms.ts), until the transaction
 * ends. Before any row lock, because matching locks rows.
 */
export async function changeTerms(tx: Statements): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1::bigint)::text AS locked', [termsLock]);
  await blockCounting(tx);
}

/** Keeps what users decide about hosts unchanged until the transaction ends. Before `blockCounting` and any row lock. */
export async function holdTerms(tx: Statements): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock_shared($1::bigint)::text AS locked', [termsLock]);
}

/** Blocks matching and counting until the transaction ends. The caller holds the lock of holdTerms, but no row. */
export async function blockCounting(tx: Statements): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock($1::bigint)::text AS locked', [matchLock]);
}

/** How often, and how many times, the lock of the rules is asked for without waiting. */
const rulesPauseMs = 50;
const rulesTries = 200;

/**
 * Waits for transactions that derive tags or exposures of hosts by rules (`derive_host` in prisma/sql/fleet.sql), and keeps
 * others from it until the transaction ends. Asks without waiting at first: a transaction that waits for this lock would
 * make others wait behind it that hold rows.
 */
export async function changeHostRules(tx: Statements): Promise<void> {
  const lock = `hashtextextended('exposure rules', 0)`;
  for (let tries = 0; tries < rulesTries; tries += 1) {
    const { rows } = await tx.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(${lock}) AS locked`,
    );
    if (rows[0]?.locked === true) return;
    await delay(rulesPauseMs);
  }
  await tx.query(`SELECT pg_advisory_xact_lock(${lock})::text AS locked`);
}

/** Tables whose rows can be locked by id. */
const lockedTables = {
  hosts: Prisma.sql`hosts WHERE id`,
  registration_tokens: Prisma.sql`registration_tokens WHERE id`,
  ssh_targets: Prisma.sql`ssh_targets WHERE host_id`,
} as const;

/** PostgreSQL's row lock modes. Only `update` blocks inserts of rows that refer to the locked row. */
const strengths = {
  keyShare: Prisma.sql`FOR KEY SHARE`,
  noKeyUpdate: Prisma.sql`FOR NO KEY UPDATE`,
  update: Prisma.sql`FOR UPDATE`,
} as const;

const lockedRow = z.object({ locked: z.literal(true) });

/** Locks one row until the transaction ends, so that the fields read next cannot change. False if it does not exist. */
export async function lockRow(
  tx: Transaction,
  table: keyof typeof lockedTables,
  id: string,
  strength: keyof typeof strengths,
): Promise<boolean> {
  const rows = await queryRows(
    tx,
    lockedRow,
    Prisma.sql`SELECT true AS locked FROM ${lockedTables[table]} = ${id}::uuid ${strengths[strength]}`,
  );
  return rows.length === 1;
}

/**
 * Serializes transactions that add or change hosts with the same machine id, in any case and form, until they end.
 * Otherwise two clones that enrol at once would not find each other. A transaction takes several locks in the order of
 * `machine_key`.
 */
async function lockMachineId(tx: Statements, machineId: string): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('machine_id ' || machine_key($1), 0))::text AS locked`,
    [machineId],
  );
}

/**
 * The oldest other host with a machine id, in any case and form, that is not retired; null without one. Takes the lock of
 * that id first.
 */
export async function findMachineIdConflict(
  tx: Statements,
  machineId: string,
  hostId: string,
): Promise<string | null> {
  if (machineId === '') return null;
  await lockMachineId(tx, machineId);
  const { rows } = await tx.query<{ id: string }>(
    `SELECT id FROM hosts WHERE machine_key(machine_id) = machine_key($1) AND id <> $2 AND approval_status <> 'retired'
     ORDER BY id LIMIT 1`,
    [machineId, hostId],
  );
  return rows[0]?.id ?? null;
}

/** Locks a host against deletion, before any other row of it. False if the host does not exist. */
export async function lockHost(tx: Transaction, hostId: string): Promise<boolean> {
  return isUuid(hostId) && lockRow(tx, 'hosts', hostId, 'keyShare');
}

/** `lockHost` for transactions that use pg only (docs/decisions/database-door.md). */
export async function lockHostBySql(tx: PgTransaction, hostId: string): Promise<boolean> {
  const { rowCount } = await tx.query('SELECT FROM hosts WHERE id = $1 FOR KEY SHARE', [hostId]);
  return rowCount === 1;
}
