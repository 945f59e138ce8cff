import { z } from 'zod';
import { Prisma, type PrismaClient } from '../generated/client.ts';

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

/** Runs statements that are the same in Prisma's transactions and in those of pg. A connection of pg is one. */
export interface Statements {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>;
}

/** Runs such statements in a transaction of Prisma. They must not return columns of the type void. */
export function statementsIn(tx: Transaction): Statements {
  return {
    query: async <Row extends object>(text: string, values: unknown[] = []) => ({
      rows: await tx.$queryRawUnsafe<Row[]>(text, ...values),
    }),
  };
}

const timeRow = z.object({ now: z.date() });

/**
 * The time of the database clock, which all processes share; in a transaction, the time of its start. Use it for times
 * that are stored or compared with stored ones, because machine clocks differ.
 */
export async function databaseTime(on: Pick<Transaction, '$queryRaw'>): Promise<Date> {
  const [row] = await queryRows(on, timeRow, Prisma.sql`SELECT now()`);
  if (row === undefined) throw new Error('the database returned no time');
  return row.now;
}
