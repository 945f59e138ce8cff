import { z } from 'zod';
import { Prisma } from '../generated/client.ts';
import { queryRows, type Transaction } from './transaction.ts';

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
