import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { versionSchemes } from '@plimsoll/model';
import { compareKeys, type VersionScheme, versionKey } from '@plimsoll/versions';
import { linesOf } from './inventory/report-draft.ts';

/** The result of comparing our version order with one oracle file. */
export interface OracleResult {
  readonly name: string;
  readonly pairs: number;
  /** Pairs that the sort keys order differently, in either direction. */
  readonly wrong: readonly string[];
}

const orders: ReadonlyMap<string, number> = new Map([
  ['<', -1],
  ['=', 0],
  ['>', 1],
]);

/**
 * Checks every table of a folder whose name starts with a scheme (`dpkg-hard.tsv.gz`): a line of column names, then
 * `a`, `<`, `=` or `>`, `b`, tab-separated, optionally gzip. An invalid line counts as wrong.
 */
export function checkOracles(folder: string): readonly OracleResult[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const [, named] = /^(\w+)\b.*\.tsv(?:\.gz)?$/.exec(name) ?? [];
      const scheme = versionSchemes.find((each) => each === named);
      if (scheme === undefined) return [];
      const bytes = readFileSync(path.join(folder, name));
      const text = (name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8');
      const pairs = linesOf(text).slice(1);
      return [{ name, pairs: pairs.length, wrong: pairs.filter((line) => !agrees(scheme, line)) }];
    });
}

function agrees(scheme: VersionScheme, line: string): boolean {
  const [left = '', operator = '', right = ''] = line.split('\t');
  const expected = orders.get(operator);
  const a = versionKey(scheme, left);
  const b = versionKey(scheme, right);
  if (expected === undefined || a.kind === 'unparseable' || b.kind === 'unparseable') return false;
  return compareKeys(a.key, b.key) === expected && compareKeys(b.key, a.key) === 0 - expected;
}
