import { compareKeys } from '@plimsoll/versions';
import { compareText } from '../compare-text.ts';
import type { Statement } from './statement.ts';

/** A classified package version as far as matching needs it; every Classification is one. */
export type Matchable =
  | { readonly kind: 'comparable'; readonly key: Uint8Array }
  | { readonly kind: 'excluded' }
  | { readonly kind: 'unknown' };

/**
 * What became of one statement. `fixed`: the package has the fixed version or a newer one. `folded`: an erratum whose
 * CVEs all have records of their own, which speak for it. `not_compared`: the package version has no place in the order.
 */
export type Judgement = 'affected' | 'fixed' | 'withdrawn' | 'folded' | 'not_compared';

/** Whether the feed holds a vulnerability record of a CVE, not withdrawn, that names the package's release. */
export type IsJudged = (cve: string) => boolean;

/** One statement with what became of it. */
export interface JudgedStatement {
  readonly statement: Statement;
  readonly judgement: Judgement;
}

/**
 * The statements that affect a package version, out of all about its release and match name: those without a fix, and
 * those whose fixed version is higher. An erratum counts only where one of its CVEs is not judged by a record of its
 * own, or it names none: the two are one finding's evidence. Ordered by external id.
 */
export function matchPackage(
  subject: Matchable,
  statements: readonly Statement[],
  isJudged: IsJudged,
): readonly Statement[] {
  return statements
    .filter((statement) => judge(subject, statement, isJudged) === 'affected')
    .sort(compareStatements);
}

/** The same with every statement's judgement, to answer why a package is affected or not. Ordered by external id. */
export function explainPackage(
  subject: Matchable,
  statements: readonly Statement[],
  isJudged: IsJudged,
): readonly JudgedStatement[] {
  return [...statements]
    .sort(compareStatements)
    .map((statement) => ({ statement, judgement: judge(subject, statement, isJudged) }));
}

function judge(subject: Matchable, statement: Statement, isJudged: IsJudged): Judgement {
  if (subject.kind !== 'comparable') return 'not_compared';
  if (statement.withdrawn) return 'withdrawn';
  if (statement.fix.kind === 'fixed' && compareKeys(subject.key, statement.fix.key) >= 0) return 'fixed';
  return isFolded(statement, isJudged) ? 'folded' : 'affected';
}

function isFolded({ kind, cves }: Statement, isJudged: IsJudged): boolean {
  return kind === 'erratum' && cves.length > 0 && cves.every(isJudged);
}

/** Does not depend on the numbers under which advisories are stored. */
function compareStatements(a: Statement, b: Statement): number {
  return compareText(a.externalId, b.externalId) || a.statementId - b.statementId;
}
