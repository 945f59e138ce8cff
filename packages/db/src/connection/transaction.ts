import type { z } from 'zod';
import type { Prisma, PrismaClient } from '../generated/client.ts';

/** A transaction that is open: Prisma's models, and `queryRows` for what they cannot say. */
export type Transaction = Prisma.TransactionClient;

/** Longer than a connection takes to get, so that the error that says why there is none comes first. Milliseconds. */
const longestStartMs = 60_000;
/** Each statement has a limit of its own (`statementLimitMs`); the longest time that a timer can take. Milliseconds. */
const noLimitMs = 2 ** 31 - 1;

/**
 * Runs `work` in one transaction: committed when it resolves, rolled back when it throws. The isolation is READ COMMITTED,
 * so a statement sees what others committed before it began: lock a row first, then read it.
 */
export function inTransaction<T>(prisma: PrismaClient, work: (tx: Transaction) => Promise<T>): Promise<T> {
  return prisma.$transaction(work, { maxWait: longestStartMs, timeout: noLimitMs });
}

/**
 * The rows of a statement that Prisma's models cannot say: locks, ON CONFLICT DO UPDATE, times by the clock of the database.
 * Every row is checked against `row`, whose keys are the columns as the statement names them. Throws where one differs.
 */
export async function queryRows<Row extends z.ZodType>(
  on: Pick<Transaction, '$queryRaw'>,
  row: Row,
  statement: Prisma.Sql,
): Promise<z.output<Row>[]> {
  const rows = await on.$queryRaw<unknown[]>(statement);
  return rows.map((each) => row.parse(each));
}
