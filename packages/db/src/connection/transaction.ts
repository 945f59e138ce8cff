import type { z } from 'zod';
import type { Prisma, PrismaClient } from '../generated/client.ts';

/** An open transaction: Prisma's models, and `queryRows` for statements that they cannot express. */
export type Transaction = Prisma.TransactionClient;

/** Milliseconds. Longer than getting a connection may take, so that the pool's own error comes first. */
const longestStartMs = 60_000;
/** Milliseconds: the longest possible timer. Each statement has its own limit (`statementLimitMs`). */
const noLimitMs = 2 ** 31 - 1;

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. The isolation level is READ
 * COMMITTED, so a statement sees rows that others committed before it began: lock a row before reading it.
 */
export function inTransaction<T>(prisma: PrismaClient, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return prisma.$transaction(work, { maxWait: longestStartMs, timeout: noLimitMs });
}

/**
 * The rows of a statement that Prisma's models cannot express: locks, ON CONFLICT DO UPDATE, times of the database
 * clock. Checks every row against `row`, whose keys are the column names of the statement. Throws if a row does not
 * match.
 */
export async function queryRows<Row extends z.ZodType>(
  on: Pick<Transaction, '$queryRaw'>,
  row: Row,
  statement: Prisma.Sql,
): Promise<z.output<Row>[]> {
  const rows = await on.$queryRaw<unknown[]>(statement);
  return rows.map((each) => row.parse(each));
}
