import type { AdvisoryKey, PackageVersionId, Verdict } from '@plimsoll/model';
import { LRUCache } from 'lru-cache';
import type { PgTransaction } from '../database.ts';

/** The kernel that a package version belongs to. */
export interface KernelOfVersion {
  readonly role: 'image' | 'part';
  readonly release: string;
  readonly flavour: string;
}

/** Whether two packages belong to the same kernel; false if one belongs to none. */
export function isSameKernel(
  one: KernelOfVersion | null | undefined,
  other: KernelOfVersion | null | undefined,
): boolean {
  return one != null && one.release === other?.release && one.flavour === other.flavour;
}

/** The kernel that a version belongs to; null if it belongs to none. */
export function kernelOf(version: { readonly verdict: Verdict } | undefined) {
  return version === undefined || version.verdict.kind === 'excluded' ? null : version.verdict.kernel;
}

/** What the ledger of a host needs of a package version. */
export interface VersionAdvisories {
  /** Every advisory that affects it, hidden ones included, ascending. */
  readonly advisories: Int32Array;
  readonly kernel: KernelOfVersion | null;
}

/** A package version with all statements that affect it. */
interface KnownVersion {
  readonly version: { readonly verdict: Verdict };
  readonly statements: readonly { readonly advisory: AdvisoryKey }[];
}

/** Package versions that need not be loaded. */
export interface KnownVersions {
  get(id: PackageVersionId): KnownVersion | undefined;
}

const nothingKnown: KnownVersions = { get: () => undefined };

/** Bytes of the advisories in the cache: an old kernel has thousands. */
const cachedBytes = 16 * 1024 * 1024;
/** Estimated sizes: of an entry without advisories, and of a list apart from its numbers. */
const bytesOfEntry = 150;
const bytesOfList = 250;
/** Most versions have none: an own list for each takes more memory than the rest of its entry. */
const noAdvisories = new Int32Array();

/** A cache of the advisories that affect package versions. Its owner calls `forget` when matches change. */
export class VersionAdvisoryCache {
  private readonly cached = new LRUCache<PackageVersionId, VersionAdvisories>({
    maxSize: cachedBytes,
    sizeCalculation: ({ advisories }) =>
      bytesOfEntry + (advisories === noAdvisories ? 0 : bytesOfList + 4 * advisories.length),
  });

  /** Forgets versions; null: all. */
  forget(versions: readonly PackageVersionId[] | null): void {
    if (versions === null) this.cached.clear();
    else for (const id of versions) this.cached.delete(id);
  }

  /** Loads versions by id, except those that are `known`. A version that does not exist has no entry. */
  async load(
    client: PgTransaction,
    ids: Iterable<PackageVersionId>,
    known: KnownVersions = nothingKnown,
  ): Promise<ReadonlyMap<PackageVersionId, VersionAdvisories>> {
    const found = new Map<PackageVersionId, VersionAdvisories>();
    const missing: PackageVersionId[] = [];
    for (const id of ids) {
      const entry = this.cached.get(id) ?? this.keep(id, known.get(id));
      if (entry === undefined) missing.push(id);
      else found.set(id, entry);
    }
    if (missing.length === 0) return found;
    const { rows } = await client.query<{
      id: PackageVersionId;
      kernel: KernelOfVersion | null;
      advisories: readonly AdvisoryKey[] | null;
    }>(
      `SELECT v.id, ${kernelOfVersion} AS kernel,
              (SELECT array_agg(DISTINCT ap.advisory_id) FROM package_version_advisories m
               JOIN advisory_packages ap ON ap.id = m.advisory_package_id WHERE m.package_version_id = v.id) AS advisories
       FROM package_versions v WHERE v.id = ANY($1::int[])`,
      [missing],
    );
    for (const { id, kernel, advisories } of rows) found.set(id, this.add(id, kernel, advisories ?? []));
    return found;
  }

  private keep(id: PackageVersionId, known: KnownVersion | undefined): VersionAdvisories | undefined {
    if (known === undefined) return undefined;
    return this.add(id, kernelOf(known.version), [
      ...new Set(known.statements.map(({ advisory }) => advisory)),
    ]);
  }

  private add(
    id: PackageVersionId,
    kernel: KernelOfVersion | null,
    advisories: readonly AdvisoryKey[],
  ): VersionAdvisories {
    const entry = {
      kernel,
      advisories: advisories.length === 0 ? noAdvisories : Int32Array.from(advisories).sort(),
    };
    this.cached.set(id, entry);
    return entry;
  }
}

/** SQL: the kernel in the verdict of `package_versions v`; null if it belongs to none or has no verdict. */
export const kernelOfVersion = `CASE WHEN jsonb_typeof(v.verdict -> 'kernel') = 'object' THEN v.verdict -> 'kernel' END`;

/** Whether a sorted list contains a number. */
export function includesSorted(sorted: ArrayLike<number>, wanted: number): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] ?? 0;
    if (value === wanted) return true;
    if (value < wanted) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
