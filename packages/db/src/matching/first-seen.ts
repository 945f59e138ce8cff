import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';

/** A change of one package of a host, as `package_changes` keeps it. */
export interface PackageChangeRow {
  readonly name: string;
  readonly architecture: string;
  readonly at: Date;
  readonly fromId: PackageVersionId | null;
  readonly toId: PackageVersionId | null;
}

/** An installed version and an advisory: since when did the advisory affect it or, without a break, the versions before? */
export interface FindingOrigin {
  readonly name: string;
  readonly architecture: string;
  readonly versionId: PackageVersionId;
  readonly advisory: AdvisoryKey;
  /** When the advisory's statement reached us. */
  readonly statedAt: Date;
}

/**
 * When a finding was first seen: the later of when the advisory reached us and when the host got the oldest version in
 * the unbroken chain of affected versions that leads to today's. An upgrade from one affected version to another does
 * not make a finding newer.
 * @param changes of the host, in upload order.
 * @param affects whether a version is matched by an advisory.
 */
export function firstSeenAt(
  origin: FindingOrigin,
  firstSnapshotAt: Date,
  changes: readonly PackageChangeRow[],
  affects: (version: PackageVersionId, advisory: AdvisoryKey) => boolean,
): Date {
  let version: PackageVersionId | null = origin.versionId;
  let since = firstSnapshotAt;
  for (const change of [...changes].reverse()) {
    const isArrival =
      change.toId === version && change.name === origin.name && change.architecture === origin.architecture;
    if (!isArrival) continue;
    since = change.at;
    version = change.fromId;
    if (version === null || !affects(version, origin.advisory)) break;
    since = firstSnapshotAt;
  }
  return new Date(Math.max(since.getTime(), origin.statedAt.getTime()));
}
