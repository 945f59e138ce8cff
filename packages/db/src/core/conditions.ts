import type pg from 'pg';
import { Prisma } from '../generated/client.ts';

/** A WHERE clause in which every condition must hold; empty without conditions. */
export function whereAll(conditions: readonly Prisma.Sql[]): Prisma.Sql {
  return conditions.length === 0 ? Prisma.empty : Prisma.sql`WHERE ${Prisma.join([...conditions], ' AND ')}`;
}

/** A condition for a value; empty if the value is not given. */
export function ifGiven<Value>(
  value: Value | undefined,
  condition: (value: Value) => Prisma.Sql,
): readonly Prisma.Sql[] {
  return value === undefined ? [] : [condition(value)];
}

/** A condition that one of several text expressions contains a text, ignoring case. */
export function containsText(texts: readonly string[], part: string): Prisma.Sql {
  const pattern = `%${likeLiteral(part)}%`;
  const conditions = texts.map((text) => Prisma.sql`${Prisma.raw(text)} ILIKE ${pattern}`);
  return Prisma.sql`(${Prisma.join(conditions, ' OR ')})`;
}

/** The rows of a composed statement, through pg only, because there may be many wide rows (docs/decisions/database-door.md). */
export async function selectRows<Row extends pg.QueryResultRow>(
  on: Pick<pg.Pool | pg.PoolClient, 'query'>,
  { text, values }: Prisma.Sql,
): Promise<Row[]> {
  return (await on.query<Row>(text, values)).rows;
}

/** A pattern with `*` (any text) and `?` (one character) in the form of LIKE. */
export function likeOfPattern(pattern: string): string {
  return likeLiteral(pattern).replaceAll('*', '%').replaceAll('?', '_');
}

/** Escapes a text for LIKE, ILIKE and Prisma's `startsWith`, so that it matches literally. */
export function likeLiteral(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}
