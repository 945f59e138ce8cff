import type { PackageVersion, Statement } from '@plimsoll/model';
import { inTermsOf } from '../matching/source-fix.ts';
import type { AssessedPackage } from './host-facts.ts';

/** Combines a package version and the statements that affect it, for assessing and counting a host. */
export function assessedPackage(version: PackageVersion, statements: readonly Statement[]): AssessedPackage {
  const { id, name, architecture, version: text, sourceName, sourceVersion, verdict } = version;
  return {
    id,
    name,
    architecture,
    version: text,
    sourceName,
    sourceVersion,
    verdict,
    statements: statements.map((statement) => inTermsOf(statement, version)),
    folded: [],
  };
}
