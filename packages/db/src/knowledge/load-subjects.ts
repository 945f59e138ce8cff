import {
  type AssessedPackage,
  assessedPackage,
  cvesFixedIn,
  kernelOf,
  livePatchOf,
} from '@plimsoll/advisories';
import type { PackageVersionId, Statement } from '@plimsoll/model';
import type { Statements } from '../core/transaction.ts';
import { loadJudgedCves } from './judged-cves.ts';
import { loadPackageVersions, type StoredPackageVersion } from './package-versions.ts';
import { dateAll } from './statement-dates.ts';
import { loadMatchedStatements, loadStatementsOf } from './statements.ts';

/**
 * Versions whose statements are loaded together: some milliseconds of work, because uploads are matched in the same thread.
 * Each kernel has thousands of statements, other packages have few.
 */
const versionsPerLoad = 250;
const kernelsPerLoad = 5;

/** Package versions with the statements that affect them, if `isDated` with their dates, some at a time. */
export async function* loadSubjects(
  client: Statements,
  ids: readonly PackageVersionId[],
  isDated: boolean,
): AsyncGenerator<AssessedPackage> {
  for (const part of piecesOf(ids, versionsPerLoad)) {
    const versions = await loadPackageVersions(client, part);
    const kernels = versions.filter((version) => kernelOf(version) !== null);
    const others = versions.filter((version) => kernelOf(version) === null);
    for (const piece of [...piecesOf(others, versionsPerLoad), ...piecesOf(kernels, kernelsPerLoad)]) {
      const matched = await loadMatchedStatements(
        client,
        piece.map(({ id }) => id),
      );
      yield* await assessedPackages(client, piece, matched, isDated);
    }
  }
}

/** Matched versions as they are assessed and counted. @param matched by version; a version without matches has no entry. */
export async function assessedPackages(
  client: Statements,
  versions: readonly StoredPackageVersion[],
  matched: ReadonlyMap<PackageVersionId, readonly Statement[]>,
  isDated: boolean,
): Promise<readonly AssessedPackage[]> {
  const closes = await loadLivePatchCves(client, versions);
  const statements = isDated ? await dateAll(client, matched) : matched;
  return versions.map((version) =>
    assessedPackage(version, statements.get(version.id) ?? [], closes.get(version.id)),
  );
}

/** A list in pieces of at most `size`. */
export function piecesOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}

/**
 * The CVEs that packages with live patches close, by package version: those that advisories about the package
 * state as fixed in its version. No other package has an entry.
 */
export async function loadLivePatchCves(
  client: Statements,
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
