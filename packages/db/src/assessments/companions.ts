import { classifyCompanion, matchVersion, verdictOf } from '@plimsoll/advisories';
import type { Database } from '../database.ts';
import type { StoredPackageVersion } from '../matching/package-versions.ts';
import { loadJudgedCves, loadStatementsOf } from '../matching/statements.ts';
import type { HostToAssess, InstalledVersion } from './stored-host.ts';

/**
 * The kernel companions among a host's packages, with the verdict they would have by themselves and the statements that
 * affect them; companions that cannot be compared are missing. Matched on reading, because stored matches count.
 */
export async function loadCompanions(
  { pool }: Database,
  { packages }: Pick<HostToAssess, 'packages'>,
): Promise<readonly InstalledVersion[]> {
  const companions = packages.flatMap(({ version, held }) => {
    const compared = comparedCompanion(version);
    return compared === null ? [] : [{ version: compared, held }];
  });
  if (companions.length === 0) return [];
  const stated = await loadStatementsOf(
    pool,
    companions.map(({ version }) => version),
  );
  const errata = stated.all.filter(({ kind }) => kind === 'erratum');
  const judged = await loadJudgedCves(pool, [...new Set(errata.flatMap(({ cves }) => cves))]);
  return companions.map(({ version, held }) => ({
    version,
    held,
    statements: matchVersion(version, stated.about(version), (cve) => judged.has(version, cve)),
  }));
}

function comparedCompanion(version: StoredPackageVersion): StoredPackageVersion | null {
  const { verdict, release } = version;
  if (verdict.kind !== 'excluded' || verdict.reason !== 'kernel_companion') return null;
  const own = classifyCompanion({ ...version, signingKey: '' }, release);
  if (own.kind !== 'comparable') return null;
  return { ...version, matchName: own.matchName, matchKey: own.key, verdict: verdictOf(own) };
}
