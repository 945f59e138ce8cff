import { kernelOf } from '@plimsoll/advisories';
import type { HostId, PackageVersionId, Release } from '@plimsoll/model';
import { decodePackageSet } from '../../ingest/package-set.ts';
import type { StoredPackageVersion } from '../../knowledge/package-versions.ts';
import { withSameBuilds } from '../history/exposure-walk.ts';
import { partChains } from '../history/kernel-parts.ts';
import { type InstalledName, loadBootedChains, loadPackageChains } from '../history/load-exposures.ts';
import type { Stay, VersionChain } from '../history/version-chains.ts';
import type { SharedRows } from './shared-rows.ts';

/** What a host had installed and booted since its first snapshot. */
export interface HostTimeline {
  readonly hostId: HostId;
  readonly release: Release;
  readonly firstSnapshotAt: Date;
  /** At least every version in the chains. */
  readonly versions: ReadonlyMap<PackageVersionId, StoredPackageVersion>;
  /** The packages that findings can be of: of kernels those that ran, and their parts, meanwhile. */
  readonly judged: readonly VersionChain[];
  /** The running kernels. */
  readonly boots: readonly Stay[];
  /** Bootable kernels while they were installed. */
  readonly kernels: readonly Stay[];
}

/** The timeline of a host; null before its first snapshot. @param names of the packages in it; null: all. */
export async function loadHostTimeline(
  rows: SharedRows,
  hostId: HostId,
  names: readonly string[] | null,
): Promise<HostTimeline | null> {
  const { client, versions } = rows;
  const found = await client.query<{ release: Release; firstSnapshotAt: Date; ids: Uint8Array }>(
    `SELECT r.name AS release, hs.first_snapshot_at AS "firstSnapshotAt", ps.ids FROM host_state hs
     JOIN releases r ON r.id = hs.release_id JOIN package_sets ps ON ps.id = hs.set_id
     WHERE hs.host_id = $1 AND hs.first_snapshot_at IS NOT NULL`,
    [hostId],
  );
  const [host] = found.rows;
  if (host === undefined) return null;
  const { release, firstSnapshotAt } = host;
  const of = { hostId, firstSnapshotAt };
  const installed = names === null ? await readInstalled(rows, host.ids) : null;
  const packages = (await loadPackageChains(client, of, { names, installed })).flatMap(
    ({ chains }) => chains,
  );
  const booted = await loadBootedChains(client, of);
  await rows.readVersions(
    [...packages, ...booted].flatMap(({ stays }) => stays.map(({ versionId }) => versionId)),
  );
  return { release, firstSnapshotAt, hostId, versions, ...judgedOf(packages, booted, versions) };
}

async function readInstalled(rows: SharedRows, encoded: Uint8Array): Promise<readonly InstalledName[]> {
  const ids = decodePackageSet(encoded);
  await rows.readVersions(ids);
  return ids.flatMap((id) => rows.versions.get(id) ?? []);
}

type Versions = ReadonlyMap<PackageVersionId, StoredPackageVersion>;

/**
 * Divides the chains of a host, and marks stays of the same build.
 * @param versions every version of the booted ones; of the others those in question: stays of the same build as others are not marked.
 */
export function judgedOf(
  chains: readonly VersionChain[],
  booted: readonly VersionChain[],
  versions: Versions,
): Pick<HostTimeline, 'judged' | 'boots' | 'kernels'> {
  const packages: VersionChain[] = [];
  const parts: Stay[] = [];
  const kernels: Stay[] = [];
  const ran = booted.map((chain) => withSameBuilds(chain, versions));
  // A unified kernel image is a part that can boot by itself.
  const haveRun = new Set(booted.flatMap(({ stays }) => stays.map(({ versionId }) => versionId)));
  for (const chain of chains) {
    const others = withSameBuilds(chain, versions).stays.filter((stay) => {
      const kernel = kernelOf(versions.get(stay.versionId));
      if (kernel?.role === 'image' || (kernel !== null && haveRun.has(stay.versionId))) kernels.push(stay);
      else if (kernel?.role === 'part') parts.push(stay);
      return kernel === null;
    });
    if (others.length > 0) packages.push({ kind: 'installed', stays: others });
  }
  const moved = [...partChains(parts, ran, versions).values()].map((chain) =>
    withSameBuilds(chain, versions),
  );
  return { judged: [...packages, ...ran, ...moved], boots: ran.flatMap(({ stays }) => stays), kernels };
}
