import { type Database, statementName } from '../database.ts';
import type { Statements } from './transaction.ts';

/**
 * The statements of a pool, each planned once per connection. For reads that run often, whose texts are constant, and
 * which find rows by keys, so that a plan does not depend on the values.
 */
export function preparedReads({ pool }: Pick<Database, 'pool'>): Statements {
  return {
    query: <Row extends object>(text: string, values: unknown[] = []) => {
      const name = statementName(text);
      return pool.query<Row>(name === null ? { text, values } : { name, text, values });
    },
  };
}
