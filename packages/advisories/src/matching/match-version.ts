import type { PackageVersion, Statement } from '@plimsoll/model';
import {
  explainPackage,
  type IsJudged,
  type JudgedStatement,
  type Matchable,
  matchPackage,
} from './match-package.ts';
import { inTermsOf } from './source-fix.ts';

/** The fields of a classified package version that matching needs. */
export type VersionToMatch = Pick<
  PackageVersion,
  'architecture' | 'version' | 'sourceVersion' | 'matchKey' | 'verdict'
>;

/** The given statements that affect a package version, in order; empty if it cannot be compared. */
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
 * The judgement of each statement about a package version, expressed in its own versions and ordered by external id;
 * empty if the version cannot be compared.
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
