import { z } from 'zod';
import { Prisma } from '../generated/client.ts';
import { queryRows, type Transaction } from './transaction.ts';

/** Tables whose rows are locked by their id before they are read. */
const lockedTables = {
  hosts: Prisma.sql`hosts WHERE id`,
  registration_tokens: Prisma.sql`registration_tokens WHERE id`,
  ssh_targets: Prisma.sql`ssh_targets WHERE host_id`,
} as const;

/** PostgreSQL's row locks. What refers to the row waits for `update` alone. */
const strengths = {
  keyShare: Prisma.sql`FOR KEY SHARE`,
  noKeyUpdate: Prisma.sql`FOR NO KEY UPDATE`,
  update: Prisma.sql`FOR UPDATE`,
} as const;

const lockedRow = z.object({ locked: z.literal(true) });

/** Locks one row until the transaction ends, so that what is read of it next stays. False where there is none. */
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
