import { z } from 'zod';
import { Prisma } from '../generated/client.ts';
import { queryRows, type Transaction } from './transaction.ts';

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
