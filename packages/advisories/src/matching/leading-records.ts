import type { Statement } from '@plimsoll/model';
import type { IsRepeated } from './cve-records.ts';

/**
 * Two feeds of one vendor can have a vulnerability record of the same CVE, of different age (Debian's security tracker
 * and its OSV): one of them counts. A fix takes precedence over no fix, because published fixes do not disappear; then
 * the record of the leading feed counts.
 * @param statements about one build, without withdrawn ones.
 */
export function outrankedRecords(statements: readonly Statement[]): IsRepeated {
  const counting = new Map<string, Statement>();
  for (const statement of statements) {
    if (statement.leads !== true) continue;
    for (const key of keysOf(statement)) counting.set(key, statement);
  }
  if (counting.size === 0) return () => false;
  for (const statement of statements)
    for (const key of keysOf(statement)) {
      const leading = counting.get(key);
      if (leading?.fix.kind === 'unfixed' && statement.fix.kind === 'fixed') counting.set(key, statement);
    }
  return (statement) =>
    keysOf(statement).some((key) => {
      const other = counting.get(key);
      return other !== undefined && other.advisory !== statement.advisory;
    });
}

/** Records speak of each line of builds on its own. */
function keysOf({ kind, cves, builds }: Statement): readonly string[] {
  return kind === 'vulnerability' ? cves.map((cve) => `${cve} ${builds.line ?? ''}`) : [];
}
