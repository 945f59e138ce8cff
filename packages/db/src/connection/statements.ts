import type { Transaction } from './transaction.ts';

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
