import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { versionSchemes } from '@plimsoll/model';
import { compareKeys, compareVersions, parseVersion, sortKey, type VersionScheme } from '@plimsoll/versions';
import { linesOf } from './inventory/report-draft.ts';

/** The result of comparing our version order with one oracle file. */
export interface OracleResult {
  readonly name: string;
  readonly pairs: number;
  /** Pairs that the comparator or the sort keys order differently, in either direction. */
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
  const a = parseVersion(scheme, left);
  const b = parseVersion(scheme, right);
  if (expected === undefined || a.kind === 'unparseable' || b.kind === 'unparseable') return false;
  const [keyA, keyB] = [sortKey(a), sortKey(b)];
  return (
    compareVersions(scheme, a, b) === expected &&
    compareVersions(scheme, b, a) === 0 - expected &&
    compareKeys(keyA, keyB) === expected &&
    compareKeys(keyB, keyA) === 0 - expected
  );
}
