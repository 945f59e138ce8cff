import { type AssessedPackage, inTermsOf, type Verdict } from '@plimsoll/advisories';
import type { Statement, StoredPackageVersion } from '@plimsoll/db';

/** A stored package version with its statements, as assessing wants it. */
export function toAssessedPackage(
  version: StoredPackageVersion,
  statements: readonly Statement[],
): AssessedPackage {
  const { id, name, architecture, version: text, sourceName, sourceVersion } = version;
  return {
    id,
    name,
    architecture,
    version: text,
    sourceName,
    sourceVersion,
    verdict: verdictIn(version),
    statements: statements.map((statement) => inTermsOf(statement, version)),
    folded: [],
  };
}

/** The verdict that is stored with a package version. */
export function verdictIn({ verdict }: Pick<StoredPackageVersion, 'verdict'>): Verdict {
  return verdict as Verdict; // Written by classifyVersion alone.
}
