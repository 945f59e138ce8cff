import type { AdvisoryKey, PackageVersionId } from '@plimsoll/model';

/** A change of one package on a host, as stored in `package_changes`. */
export interface PackageChangeRow {
  readonly name: string;
  readonly architecture: string;
  readonly at: Date;
  readonly fromId: PackageVersionId | null;
  readonly toId: PackageVersionId | null;
}

/** An installed version and an advisory that affects it. */
export interface FindingOrigin {
  readonly name: string;
  readonly architecture: string;
  readonly versionId: PackageVersionId;
  readonly advisory: AdvisoryKey;
  /** When the advisory's statement was first imported. */
  readonly statedAt: Date;
}

/**
 * When a finding was first seen: when its statement was first imported, or when the host got the oldest version in the
 * unbroken chain of affected versions that leads to the installed one, whichever is later. An upgrade from one affected
 * version to another does not reset it.
 * @param changes of the host, in upload order.
 * @param affects whether an advisory matches a version.
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
