import type pg from 'pg';
import { Prisma } from '../generated/client.ts';
import { likeLiteral } from './like-literal.ts';

/** A WHERE clause of which every condition must hold; nothing where there are none. */
export function whereAll(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join([...conditions], ' AND ')}`;
}

/** A condition for a value, where there is one. */
export function ifGiven<Value>(
  value: Value | undefined,
  condition: (value: Value) => Prisma.Sql,
): readonly Prisma.Sql[] {
  return value === undefined ? [] : [condition(value)];
}

/** That one of some texts, which are expressions, contains another one, whatever its case. */
export function containsText(texts: readonly string[], part: string): Prisma.Sql {
  const pattern = `%${likeLiteral(part)}%`;
  const conditions = texts.map((text) => Prisma.sql`${Prisma.raw(text)} ILIKE ${pattern}`);
  return Prisma.sql`(${Prisma.join(conditions, ' OR ')})`;
}

/** The rows of a statement that is put together, by pg alone: they may be wide and many (decision 0057). */
export async function selectRows<Row extends pg.QueryResultRow>(
  on: Pick<pg.Pool | pg.PoolClient, 'query'>,
  { text, values }: Prisma.Sql,
): Promise<Row[]> {
  return (await on.query<Row>(text, values)).rows;
}
