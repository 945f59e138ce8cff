import { classifyCompanion, matchVersion, verdictOf } from '@plimsoll/advisories';
import type { Statements } from '../../core/transaction.ts';
import { loadJudgedCves } from '../../knowledge/judged-cves.ts';
import type { StoredPackageVersion } from '../../knowledge/package-versions.ts';
import { loadStatementsOf } from '../../knowledge/statements.ts';
import { type HostToAssess, type InstalledVersion, knownIn } from './stored-host.ts';

/**
 * The kernel companions among a host's packages, with the verdict they would have by themselves and the statements that
 * affect them; companions that cannot be compared are missing. Matched on reading, because stored matches count.
 */
export async function loadCompanions(
  client: Statements,
  { packages, moment }: Pick<HostToAssess, 'packages' | 'moment'>,
): Promise<readonly InstalledVersion[]> {
  const companions = packages.flatMap(({ version, held }) => {
    const compared = comparedCompanion(version);
    return compared === null ? [] : [{ version: compared, held }];
  });
  if (companions.length === 0) return [];
  const known = knownIn(client, moment);
  const stated = await loadStatementsOf(
    known,
    companions.map(({ version }) => version),
  );
  const errata = stated.all.filter(({ kind }) => kind === 'erratum');
  const judged = await loadJudgedCves(known, [...new Set(errata.flatMap(({ cves }) => cves))]);
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
