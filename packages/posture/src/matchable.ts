import { inTermsOf, type Matchable, type Statement as OwnStatement } from '@plimsoll/advisories';
import type { Statement, StoredPackageVersion } from '@plimsoll/db';
import { verdictIn } from './assessed-package.ts';

/** A stored package version as matching takes it, and statements in its terms; null where nothing can be compared with it. */
export function matchableOf(
  version: StoredPackageVersion,
  statements: readonly Statement[],
): { readonly subject: Matchable; readonly statements: readonly OwnStatement[] } | null {
  const verdict = verdictIn(version);
  if (version.matchKey === null || verdict.kind !== 'comparable') return null;
  const { module, line, follows } = verdict;
  return {
    subject: {
      kind: 'comparable',
      key: version.matchKey,
      architecture: version.architecture,
      module,
      line,
      ...(follows === undefined ? {} : { follows }),
    },
    statements: statements.map((statement) => inTermsOf(statement, version)),
  };
}
