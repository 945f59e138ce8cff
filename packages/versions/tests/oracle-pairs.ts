import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Order } from '../src/version.ts';

/** One answer of dpkg or rpm: the order of `a` and `b`. */
export interface OraclePair {
  readonly a: string;
  readonly order: Order;
  readonly b: string;
}

const ORDERS: Record<string, Order> = { '<': -1, '=': 0, '>': 1 };

/** Reads the pairs of a testdata file, in file order. Throws on an invalid line. */
export function readOraclePairs(file: string): OraclePair[] {
  const lines = readFileSync(join(__dirname, '..', 'testdata', file), 'utf8').split('\n');
  return lines
    .slice(1)
    .filter((line) => line !== '')
    .map((line) => {
      const [a, operator, b] = line.split('\t');
      const order = ORDERS[operator ?? ''];
      if (a === undefined || b === undefined || order === undefined) throw new Error(`${file}: ${line}`);
      return { a, order, b };
    });
}
