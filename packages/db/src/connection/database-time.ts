import { z } from 'zod';
import { Prisma } from '../generated/client.ts';
import { queryRows, type Transaction } from './transaction.ts';

const timeRow = z.object({ now: z.date() });

/**
 * The time by the clock of the database, which is the same for all processes; in a transaction, when that began. Times that
 * are stored or compared with stored ones come from it, as the clock of the machine may differ.
 */
export async function databaseTime(on: Pick<Transaction, '$queryRaw'>): Promise<Date> {
  const [row] = await queryRows(on, timeRow, Prisma.sql`SELECT now()`);
  if (row === undefined) throw new Error('the database does not say what time it is');
  return row.now;
}
