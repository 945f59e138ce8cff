import type { PackageVersion, Statement } from '@plimsoll/model';
import {
  explainPackage,
  type IsJudged,
  type JudgedStatement,
  type Matchable,
  matchPackage,
} from './match-package.ts';
import { inTermsOf } from './source-fix.ts';

/** What matching needs of a classified package version. */
export type VersionToMatch = Pick<
  PackageVersion,
  'architecture' | 'version' | 'sourceVersion' | 'matchKey' | 'verdict'
>;

/** Those of some statements about a package version that affect it, in their order; none where it cannot be compared. */
export function matchVersion<S extends Statement>(
  version: VersionToMatch,
  statements: readonly S[],
  isJudged: IsJudged,
): readonly S[] {
  const subject = matchableOf(version);
  if (subject === null) return [];
  const own = statements.map((statement) => inTermsOf(statement, version));
  const ids = new Set(matchPackage(subject, own, isJudged).map(({ statementId }) => statementId));
  return statements.filter(({ statementId }) => ids.has(statementId));
}

/**
 * The judgement of each statement about a package version, in the version's own terms and ordered by external id; none
 * where the version cannot be compared.
 */
export function explainVersion(
  version: VersionToMatch,
  statements: readonly Statement[],
  isJudged: IsJudged,
): readonly JudgedStatement[] {
  const subject = matchableOf(version);
  if (subject === null) return [];
  return explainPackage(
    subject,
    statements.map((statement) => inTermsOf(statement, version)),
    isJudged,
  );
}

function matchableOf({ architecture, matchKey: key, verdict }: VersionToMatch): Matchable | null {
  if (key === null || verdict.kind !== 'comparable') return null;
  const { module, line, follows } = verdict;
  return {
    kind: 'comparable',
    key,
    architecture,
    module,
    line,
    ...(follows === undefined ? {} : { follows }),
  };
}
