import type { Transaction } from './transaction.ts';

/** Where statements run that are the same in Prisma's transactions and in those of pg alone: a connection of pg is one. */
export interface Statements {
  query<Row extends object>(text: string, values?: unknown[]): Promise<{ readonly rows: Row[] }>;
}

/** A transaction of Prisma as a place for such statements. They may not answer columns of the type void. */
export function statementsIn(tx: Transaction): Statements {
  return {
    query: async <Row extends object>(text: string, values: unknown[] = []) => ({
      rows: await tx.$queryRawUnsafe<Row[]>(text, ...values),
    }),
  };
}
