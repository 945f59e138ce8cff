import type { PackageVersionId, Verdict } from '@plimsoll/model';

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

/** Loads versions by id. Throws if one does not exist. */
export type LoadVersionAdvisories = (
  ids: Iterable<PackageVersionId>,
) => Promise<ReadonlyMap<PackageVersionId, VersionAdvisories>>;

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
