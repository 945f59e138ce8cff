import {
  type AssessedPackage,
  assessedPackage,
  type PackageSummary,
  summarisePackage,
} from '@plimsoll/advisories';
import type { PackageVersionId } from '@plimsoll/model';
import type pg from 'pg';
import { kernelOf } from '../history/version-advisories.ts';
import { dateAll } from '../policies/statement-dates.ts';
import { loadLivePatchCves } from './host-facts.ts';
import { loadPackageVersions } from './package-versions.ts';
import { loadMatchedStatements } from './statements.ts';

/**
 * Versions whose statements are loaded together: some milliseconds of work, because uploads are matched in the same thread.
 * Each kernel has thousands of statements, other packages have few.
 */
const versionsPerLoad = 250;
const kernelsPerLoad = 5;

/** Summaries of package versions, if `isDated` with what due dates depend on. */
export async function summariseVersions(
  client: pg.PoolClient,
  ids: readonly PackageVersionId[],
  isDated: boolean,
): Promise<readonly PackageSummary[]> {
  const summaries: PackageSummary[] = [];
  for await (const subject of loadSubjects(client, ids, isDated)) summaries.push(summarisePackage(subject));
  return summaries;
}

/** Package versions with the statements that affect them, if `isDated` with their dates, some at a time. */
export async function* loadSubjects(
  client: pg.PoolClient,
  ids: readonly PackageVersionId[],
  isDated: boolean,
): AsyncGenerator<AssessedPackage> {
  for (const part of piecesOf(ids, versionsPerLoad)) {
    const versions = await loadPackageVersions(client, part);
    const closes = await loadLivePatchCves(client, versions);
    const kernels = versions.filter((version) => kernelOf(version) !== null);
    const others = versions.filter((version) => kernelOf(version) === null);
    for (const piece of [others, ...piecesOf(kernels, kernelsPerLoad)]) {
      const matched = await loadMatchedStatements(
        client,
        piece.map(({ id }) => id),
      );
      const statements = isDated ? await dateAll(client, matched) : matched;
      for (const version of piece)
        yield assessedPackage(version, statements.get(version.id) ?? [], closes.get(version.id));
    }
  }
}

/** A list in pieces of at most `size`. */
export function piecesOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}
