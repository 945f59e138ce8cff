import {
  type ComparableVerdict,
  type ExcludedVerdict,
  type KernelImage,
  type KernelPart,
  type PackageVersion,
  type PackageVersionId,
  type Release,
  type UnknownVerdict,
  unknownReasons,
  type Verdict,
} from '@plimsoll/model';
import type { PgTransaction } from '../core/database.ts';
import type { Statements } from '../core/transaction.ts';
import { decodePackageSet, encodePackageSet } from '../ingest/package-set.ts';
import {
  type Check,
  either,
  isFlag,
  isText,
  missingOr,
  nullOr,
  objectOf,
  wordOf,
} from '../ingest/stored-facts.ts';

/** A PackageVersion with the number of its release. */
export interface StoredPackageVersion extends PackageVersion {
  readonly releaseId: number;
}

/** The select list for `queryPackageVersions`, from `package_versions v` and `releases r`. */
export const packageVersionColumns = `v.id, v.release_id AS "releaseId", r.name AS release, v.name, v.architecture, v.version,
  v.source_name AS "sourceName", v.source_version AS "sourceVersion", v.vendor, v.suite, v.module,
  v.unfinished, v.match_name AS "matchName", v.match_key AS "matchKey", v.verdict AS "storedVerdict"`;

/** Runs a query with the select list `packageVersionColumns` and returns its rows in order. */
export async function queryPackageVersions(
  client: Statements,
  text: string,
  values: readonly unknown[],
): Promise<readonly StoredPackageVersion[]> {
  const { rows } = await client.query<
    Omit<StoredPackageVersion, 'verdict'> & { readonly storedVerdict: unknown }
  >(text, [...values]);
  return rows.map(({ storedVerdict, ...version }) => ({ ...version, verdict: readVerdict(storedVerdict) }));
}

/** Package versions by id. */
export function loadPackageVersions(
  client: Statements,
  ids: readonly PackageVersionId[],
): Promise<readonly StoredPackageVersion[]> {
  return queryPackageVersions(
    client,
    `SELECT ${packageVersionColumns} FROM package_versions v JOIN releases r ON r.id = v.release_id
     WHERE v.id = ANY($1::int[]) ORDER BY v.id`,
    [ids],
  );
}

/**
 * Parses the verdict that is stored with a package version, as any version of the service wrote it. Throws on anything
 * else.
 */
export function readVerdict(stored: unknown): Verdict {
  if (isVerdict(stored)) return stored;
  // The first version wrote neither module nor line.
  const completed = typeof stored === 'object' ? { module: '', line: '', ...stored } : stored;
  if (isVerdict(completed)) return completed;
  throw new Error(`A stored verdict cannot be read: ${JSON.stringify(stored)?.slice(0, 200)}`);
}

const kernelFields = { release: isText, flavour: isText };
const isKernel = nullOr(
  either(
    objectOf<KernelImage>({ role: wordOf(['image']), ...kernelFields }),
    objectOf<KernelPart>({ role: wordOf(['part']), ...kernelFields }),
  ),
);

const isComparable = objectOf<ComparableVerdict>({
  kind: wordOf(['comparable']),
  matchName: isText,
  matchVersion: isText,
  module: isText,
  moduleFrom: missingOr(wordOf(['enabled_streams'])),
  line: isText,
  follows: missingOr(isText),
  originStated: isFlag,
  reached: missingOr(isText),
  kernel: isKernel,
});

const isUnknown = objectOf<UnknownVerdict>({
  kind: wordOf(['unknown']),
  reason: wordOf(unknownReasons),
  detail: isText,
  kernel: isKernel,
});

type ExcludedFor<R extends ExcludedVerdict['reason']> = Extract<ExcludedVerdict, { reason: R }>;
const isExcludedWord = wordOf(['excluded']);
const isExcluded: Check<ExcludedVerdict> = either(
  objectOf<ExcludedFor<'kernel_metapackage'>>({
    kind: isExcludedWord,
    reason: wordOf(['kernel_metapackage']),
    flavour: isText,
  }),
  either(
    objectOf<ExcludedFor<'kernel_companion'>>({ kind: isExcludedWord, reason: wordOf(['kernel_companion']) }),
    objectOf<ExcludedFor<'not_a_package'>>({ kind: isExcludedWord, reason: wordOf(['not_a_package']) }),
  ),
);

const isVerdict: Check<Verdict> = either(isComparable, either(isUnknown, isExcluded));

/** Counted changes that are kept. A cache that has missed more of them starts from nothing. */
const keptChanges = 256;

/** What a transaction changed. */
export interface VersionChange {
  /** Versions whose matches, or whose matching statements, changed. */
  readonly versions: readonly PackageVersionId[];
  /** Releases for which something changed that all their hosts' counts depend on. */
  readonly releases?: readonly Release[];
}

/**
 * Records a change. Caches of what is derived from the versions follow: see readVersionChanges. The hosts concerned
 * are counted by the next call of recountChangedHosts, unless the caller counts them itself (`counted`). The caller
 * holds the lock of changeAdvisories.
 */
export async function noteVersionChange(
  tx: PgTransaction,
  { versions, releases = [] }: VersionChange,
  { counted = false }: { readonly counted?: boolean } = {},
): Promise<void> {
  await tx.query('INSERT INTO version_changes (ids, releases, counted) VALUES ($1, $2, $3)', [
    encodePackageSet(versions).ids,
    releases,
    counted,
  ]);
  await tx.query(
    'DELETE FROM version_changes WHERE counted AND n <= (SELECT max(n) FROM version_changes) - $1::int',
    [keptChanges],
  );
}

/** The changes after a point in time. */
export interface VersionChanges {
  /** The newest change, to continue from; null if there is none. */
  readonly newest: string | null;
  /** The changed versions; null if unknown: then any version may have changed. */
  readonly versions: readonly PackageVersionId[] | null;
}

/**
 * The changes after the change `seen`, or all changes for null. They are unknown if `seen` is no longer kept, or if
 * its transaction was rolled back. What the caller reads afterwards has at least these changes; under the lock of
 * holdAdvisories or changeAdvisories exactly these.
 */
export async function readVersionChanges(client: Statements, seen: string | null): Promise<VersionChanges> {
  const { rows } = await client.query<{ n: string; ids: Uint8Array | null }>(
    `SELECT c.n::text AS n, CASE WHEN c.n > $1 THEN ids END AS ids FROM version_changes c
     WHERE c.n >= coalesce($1, (SELECT max(n) FROM version_changes)) ORDER BY c.n`,
    [seen],
  );
  const newest = rows.at(-1)?.n ?? null;
  // A change that is not counted yet is kept longer than others that came after it.
  const isTooOld = Number(newest) - Number(seen) >= keptChanges;
  if (seen === null || rows[0]?.n !== seen || isTooOld) return { newest, versions: null };
  return { newest, versions: rows.flatMap(({ ids }) => (ids === null ? [] : decodePackageSet(ids))) };
}
