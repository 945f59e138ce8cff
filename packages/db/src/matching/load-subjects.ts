import {
  type AssessedPackage,
  assessedPackage,
  type PackageSummary,
  summarisePackage,
} from '@plimsoll/advisories';
import type { PackageVersionId, Statement } from '@plimsoll/model';
import type pg from 'pg';
import { kernelOf } from '../history/version-advisories.ts';
import { dateAll } from '../policies/statement-dates.ts';
import { loadLivePatchCves } from './host-facts.ts';
import type { FreshVersion, FreshVersions } from './match-versions.ts';
import { loadPackageVersions, type StoredPackageVersion } from './package-versions.ts';
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
  fresh: KnownFresh = nothingFresh,
): Promise<readonly PackageSummary[]> {
  const summaries: PackageSummary[] = [];
  for await (const subject of loadSubjects(client, ids, isDated, fresh))
    summaries.push(summarisePackage(subject));
  return summaries;
}

/** Versions that need not be loaded, because they were just matched. */
export type KnownFresh = Pick<FreshVersions, 'get'>;

const nothingFresh: KnownFresh = { get: () => undefined };

/** Package versions with the statements that affect them, if `isDated` with their dates, some at a time. */
export async function* loadSubjects(
  client: pg.PoolClient,
  ids: readonly PackageVersionId[],
  isDated: boolean,
  fresh: KnownFresh = nothingFresh,
): AsyncGenerator<AssessedPackage> {
  for (const part of piecesOf(ids, versionsPerLoad)) {
    const known = new Map(part.flatMap((id) => entryOf(id, fresh.get(id))));
    const versions = [
      ...[...known.values()].map(({ version }) => version),
      ...(await loadVersions(
        client,
        part.filter((id) => !known.has(id)),
      )),
    ];
    const closes = await loadLivePatchCves(client, versions);
    const kernels = versions.filter((version) => kernelOf(version) !== null);
    const others = versions.filter((version) => kernelOf(version) === null);
    for (const piece of [others, ...piecesOf(kernels, kernelsPerLoad)]) {
      const matched = await matchedOf(client, piece, known);
      const statements = isDated ? await dateAll(client, matched) : matched;
      for (const version of piece)
        yield assessedPackage(version, statements.get(version.id) ?? [], closes.get(version.id));
    }
  }
}

function entryOf(
  id: PackageVersionId,
  version: FreshVersion | undefined,
): readonly (readonly [PackageVersionId, FreshVersion])[] {
  return version === undefined ? [] : [[id, version]];
}

async function loadVersions(
  client: pg.PoolClient,
  ids: readonly PackageVersionId[],
): Promise<readonly StoredPackageVersion[]> {
  return ids.length === 0 ? [] : loadPackageVersions(client, ids);
}

/** The statements of matches, of known versions and loaded ones. */
async function matchedOf(
  client: pg.PoolClient,
  versions: readonly StoredPackageVersion[],
  known: ReadonlyMap<PackageVersionId, FreshVersion>,
): Promise<ReadonlyMap<PackageVersionId, readonly Statement[]>> {
  const missing = versions.flatMap(({ id }) => (known.has(id) ? [] : [id]));
  const loaded = missing.length === 0 ? [] : await loadMatchedStatements(client, missing);
  return new Map([
    ...loaded,
    ...versions
      .flatMap(({ id }) => entryOf(id, known.get(id)))
      .map(([id, { statements }]) => [id, statements] as const),
  ]);
}

/** A list in pieces of at most `size`. */
export function piecesOf<T>(all: readonly T[], size: number): readonly (readonly T[])[] {
  return Array.from({ length: Math.ceil(all.length / size) }, (_, n) => all.slice(n * size, (n + 1) * size));
}
