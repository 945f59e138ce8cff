import { cvesFixedIn, livePatchOf } from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import type { StoredPackageVersion } from './package-versions.ts';
import { loadJudgedCves, loadStatementsOf } from './statements.ts';

/**
 * The CVEs that packages with live patches close, by package version: those that advisories about the package state as
 * fixed in its version. Other packages have no entry.
 */
export async function loadLivePatchCves(
  client: pg.Pool | pg.PoolClient,
  versions: readonly StoredPackageVersion[],
): Promise<ReadonlyMap<PackageVersionId, readonly string[]>> {
  const patches = versions.filter(({ name, version }) => livePatchOf(name, version) !== null);
  if (patches.length === 0) return new Map();
  const stated = await loadStatementsOf(client, patches);
  const judged = await loadJudgedCves(client, [...new Set(stated.all.flatMap(({ cves }) => cves))]);
  return new Map(
    patches.map((version) => [
      version.id,
      cvesFixedIn(version, stated.about(version), (cve) => judged.has(version, cve)),
    ]),
  );
}
