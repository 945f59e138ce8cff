import type { Statement } from '@plimsoll/model';
import { compareKeys } from '@plimsoll/versions';
import type { IsRepeated } from './cve-records.ts';

/**
 * Two feeds of one vendor can have a vulnerability record of the same CVE, of different age (Debian's security tracker
 * and its OSV): one of them counts. That is the record of the leading feed, unless `isWorse` holds for the other: which
 * of the two feeds is older is not known here, so the calmer record never replaces the other one.
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
      if (leading !== undefined && isWorse(statement, leading)) counting.set(key, statement);
    }
  return (statement) =>
    keysOf(statement).some((key) => {
      const other = counting.get(key);
      return other !== undefined && other.advisory !== statement.advisory;
    });
}

/**
 * Whether a record counts in place of the leading one. A fix takes precedence over no fix, because published fixes do
 * not disappear. Otherwise the record must be worse: a higher fixed version, not negligible, or decided where the
 * leading one is under investigation.
 */
function isWorse(record: Statement, leading: Statement): boolean {
  if (record.fix.kind !== leading.fix.kind) return record.fix.kind === 'fixed';
  if (record.fix.kind === 'fixed' && leading.fix.kind === 'fixed') {
    const order = compareKeys(record.fix.key, leading.fix.key);
    if (order !== 0) return order > 0;
  }
  const [isHidden, leadsHidden] = [record, leading].map(({ severity }) => severity === 'none');
  if (isHidden !== leadsHidden) return leadsHidden === true;
  return isDecided(record) && leading.fix.kind === 'unfixed' && leading.fix.reason === 'under_investigation';
}

/** Whether a record gives a reason of its own for a missing fix; one without words gives none. */
function isDecided({ fix }: Statement): boolean {
  return fix.kind === 'unfixed' && fix.reason !== 'under_investigation' && fix.detail !== '';
}

/** Records speak of each line of builds on its own. */
function keysOf({ kind, cves, builds }: Statement): readonly string[] {
  return kind === 'vulnerability' ? cves.map((cve) => `${cve} ${builds.line ?? ''}`) : [];
}
