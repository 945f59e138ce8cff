import type { HostId, PackageVersionId, Release } from '@plimsoll/model';
import type { Statements } from '../connection/transaction.ts';
import { partChains } from '../history/kernel-parts.ts';
import { loadBootedChains, loadPackageChains } from '../history/load-exposures.ts';
import { kernelOf } from '../history/version-advisories.ts';
import type { Stay, VersionChain } from '../history/version-chains.ts';
import { loadPackageVersions, type StoredPackageVersion } from '../matching/package-versions.ts';

/** What a host had installed and booted since its first snapshot. */
export interface HostTimeline {
  readonly hostId: HostId;
  readonly release: Release;
  readonly firstSnapshotAt: Date;
  /** Every version in the chains. */
  readonly versions: ReadonlyMap<PackageVersionId, StoredPackageVersion>;
  /** The packages that findings can be of: of kernels the judged ones and their parts, while they ran. */
  readonly judged: readonly VersionChain[];
  /** Bootable kernels while they were installed. */
  readonly kernels: readonly Stay[];
}

/** The timeline of a host; null before its first snapshot. @param names of the packages in it; null: all. */
export async function loadHostTimeline(
  client: Statements,
  hostId: HostId,
  names: readonly string[] | null,
): Promise<HostTimeline | null> {
  const { rows } = await client.query<{ release: Release; firstSnapshotAt: Date }>(
    `SELECT r.name AS release, hs.first_snapshot_at AS "firstSnapshotAt" FROM host_state hs
     JOIN releases r ON r.id = hs.release_id WHERE hs.host_id = $1 AND hs.first_snapshot_at IS NOT NULL`,
    [hostId],
  );
  const [host] = rows;
  if (host === undefined) return null;
  const of = { hostId, firstSnapshotAt: host.firstSnapshotAt };
  const packages = (await loadPackageChains(client, of, { names })).flatMap(({ chains }) => chains);
  const booted = await loadBootedChains(client, of);
  const ids = [...packages, ...booted].flatMap(({ stays }) => stays.map(({ versionId }) => versionId));
  const versions = new Map(
    (await loadPackageVersions(client, [...new Set(ids)])).map((version) => [version.id, version]),
  );
  return { ...host, hostId, versions, ...judgedOf(packages, booted, versions) };
}

type Versions = ReadonlyMap<PackageVersionId, StoredPackageVersion>;

/** Divides the chains of a host. @param versions every version in them. */
export function judgedOf(
  chains: readonly VersionChain[],
  booted: readonly VersionChain[],
  versions: Versions,
): Pick<HostTimeline, 'judged' | 'kernels'> {
  const packages: VersionChain[] = [];
  const parts: Stay[] = [];
  const kernels: Stay[] = [];
  for (const chain of chains) {
    const others = chain.stays.filter((stay) => {
      const kernel = kernelOf(versions.get(stay.versionId));
      if (kernel?.role === 'image') kernels.push(stay);
      if (kernel?.role === 'part') parts.push(stay);
      return kernel === null;
    });
    if (others.length > 0) packages.push({ kind: 'installed', stays: others });
  }
  return { judged: [...packages, ...booted, ...partChains(parts, booted, versions).values()], kernels };
}
