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
    for (const cve of cvesOf(statement)) counting.set(cve, statement);
  }
  if (counting.size === 0) return () => false;
  for (const statement of statements)
    for (const cve of cvesOf(statement)) {
      const leading = counting.get(cve);
      if (leading?.fix.kind === 'unfixed' && statement.fix.kind === 'fixed') counting.set(cve, statement);
    }
  return (statement) =>
    cvesOf(statement).some((cve) => {
      const other = counting.get(cve);
      return other !== undefined && other.advisory !== statement.advisory;
    });
}

function cvesOf({ kind, cves }: Statement): readonly string[] {
  return kind === 'vulnerability' ? cves : [];
}
