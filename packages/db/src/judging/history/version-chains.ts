import type { PackageVersionId } from '@plimsoll/model';

/** A change of one package on a host. */
export interface PackageChange {
  readonly name: string;
  readonly architecture: string;
  readonly at: Date;
  /** Null: was not installed before. */
  readonly fromId: PackageVersionId | null;
  /** Null: is no longer installed. */
  readonly toId: PackageVersionId | null;
}

/** The kernel that a host ran from a time on. */
export interface KernelBoot {
  readonly at: Date;
  /** Null: none of an installed package, or none was known yet. */
  readonly kernelId: PackageVersionId | null;
}

/** The time span in which a host had a package version. For a kernel: in which it was the running one. */
export interface Stay {
  readonly versionId: PackageVersionId;
  readonly from: Date;
  /** Null: the host still has it. */
  readonly until: Date | null;
  /** Whether the host had the same build before, and only what else is stored of it differed. Unknown: see withSameBuilds. */
  readonly restates?: boolean;
  /** Whether the host has the same build afterwards, and only what else is stored of it differs. */
  readonly isRestated?: boolean;
  /** What began and ended it, if not every change of its chain has one cause. */
  readonly causes?: { readonly from: HostCause; readonly until: HostCause };
}

/** What happens on a host. */
export type HostCause = 'package_changed' | 'kernel_booted';

/** Versions that replaced each other on a host, the oldest first: a stay begins when the one before it ends. */
export interface VersionChain {
  /** `booted`: of the running kernel; each stay begins with a boot, unless it says another cause. */
  readonly kind: 'installed' | 'booted';
  readonly stays: readonly Stay[];
}

/**
 * The chains of a host's packages. A removed package ends its chain; one that is installed again begins another. Of
 * several installed versions of a package, each has its own chain.
 * @param installed the newest package set.
 * @param changes in upload order; those between versions that are not in question may be missing: then the stays of these
 *   versions are not exact.
 */
export function installedChains(
  installed: readonly PackageVersionId[],
  changes: readonly PackageChange[],
  firstSnapshotAt: Date,
): readonly VersionChain[] {
  const complete: Stay[][] = [];
  // From the present back: the chains whose oldest known stay has no start yet, by the version of that stay.
  const open = new Map<PackageVersionId, OpenChain>();
  for (const id of installed) open.set(id, { until: null, later: [] });
  for (const { at, fromId, toId } of changes.toReversed()) {
    let later: Stay[] = [];
    const arrived = toId === null ? undefined : open.get(toId);
    if (toId !== null && arrived !== undefined) {
      open.delete(toId);
      later = begunAt(arrived, toId, at);
    }
    if (fromId !== null) {
      // Its change to this version is not among `changes`: the chain is known from the next version on.
      const other = open.get(fromId);
      if (other !== undefined && other.later.length > 0) complete.push(other.later);
      open.set(fromId, { until: at, later });
    } else if (later.length > 0) complete.push(later);
  }
  for (const [id, chain] of open) complete.push(begunAt(chain, id, firstSnapshotAt));
  return complete.map((stays) => ({ kind: 'installed', stays: stays.toReversed() }));
}

/** A chain while it is followed back in time. */
interface OpenChain {
  /** The end of the stay that has no start yet. */
  readonly until: Date | null;
  /** The stays after it, the newest first. */
  readonly later: Stay[];
}

function begunAt({ until, later }: OpenChain, versionId: PackageVersionId, from: Date): Stay[] {
  later.push({ versionId, from, until });
  return later;
}

/**
 * The chains of a host's running kernel, the oldest first: more than one if for a time no package's kernel ran. What ran
 * before the first known boot is not known; the same kernel is assumed, so that no finding looks younger than it is.
 * @param judged the newest judged kernel, if no boot is known.
 * @param boots in upload order; one kernel can be in several that follow each other.
 */
export function bootedChains(
  judged: PackageVersionId | null,
  boots: readonly KernelBoot[],
  firstSnapshotAt: Date,
): readonly VersionChain[] {
  const first = { at: firstSnapshotAt, kernelId: boots[0]?.kernelId ?? (boots.length === 0 ? judged : null) };
  const kernels = [first, ...boots].filter(
    ({ kernelId }, index, all) => index === 0 || all[index - 1]?.kernelId !== kernelId,
  );
  const chains: Stay[][] = [[]];
  for (const [index, { kernelId, at }] of kernels.entries()) {
    const until = kernels[index + 1]?.at ?? null;
    if (kernelId === null) chains.push([]);
    else chains.at(-1)?.push({ versionId: kernelId, from: at, until });
  }
  return chains.filter((stays) => stays.length > 0).map((stays) => ({ kind: 'booted', stays }));
}

/** A key that is unique per package of a host. */
export function packageKey(of: { readonly name: string; readonly architecture: string }): string {
  return `${of.name}\0${of.architecture}`;
}
