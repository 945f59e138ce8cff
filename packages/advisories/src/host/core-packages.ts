import type { CoreInstall, OsFamily, Snapshot } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import { isContainer } from '../kernel/is-container.ts';
import { packageManagerOf } from '../upgrade/package-manager.ts';
import { isCorePackage } from '../upgrade/upgrade-command.ts';

/** Whether hosts say when each package was installed. */
const saysInstallTimes: Readonly<Record<OsFamily, boolean>> = { apt: false, rpm: true, unknown: false };

/**
 * The core packages of a host and when each was installed, by name and architecture. Empty for a host that does not say
 * when, as apt does not, and for a container, which boots nothing. Installs dated after the report are left out: the
 * clock of the host is wrong.
 */
export function coreInstallsOf(
  { platform, packages, collectedAt }: Pick<Snapshot, 'platform' | 'packages' | 'collectedAt'>,
  receivedAt: Date,
): readonly CoreInstall[] {
  const manager = packageManagerOf(platform);
  if (manager === null || !saysInstallTimes[platform.osFamily] || isContainer(platform.virtualization))
    return [];
  const latest = Math.min(receivedAt.getTime(), collectedAt?.getTime() ?? Number.POSITIVE_INFINITY);
  return packages
    .flatMap(({ name, architecture, version, installedAt }) =>
      isCorePackage(manager, name) && installedAt !== null && installedAt.getTime() <= latest
        ? [{ name, architecture, version, installedAt }]
        : [],
    )
    .sort((a, b) => compareText(a.name, b.name) || compareText(a.architecture, b.architecture));
}

/** When the oldest of a host's packages was installed, and so the host itself; null where nothing says. */
export function firstInstallOf({ packages }: Pick<Snapshot, 'packages'>): Date | null {
  return packages.reduce<Date | null>(
    (first, { installedAt }) =>
      installedAt !== null && (first === null || installedAt < first) ? installedAt : first,
    null,
  );
}

/** What a snapshot says of when its packages were installed. */
export interface CoreInstalls {
  /** As coreInstallsOf returns them. */
  readonly installs: readonly CoreInstall[];
  /** As firstInstallOf returns it. */
  readonly firstInstallAt: Date | null;
}

/** What other snapshots and contacts of a host say of its boots and its core packages. */
export interface CoreHistory {
  readonly bootedAt: Date | null;
  /** Null: this snapshot is the first. */
  readonly firstSnapshotAt: Date | null;
  /** Core packages that changed to another version since the host booted, and when that was first seen. */
  readonly changes: readonly CoreChange[];
}

/** A core package that was seen with another version than before. */
export interface CoreChange {
  readonly name: string;
  readonly architecture: string;
  readonly at: Date;
}

/**
 * The core packages that were updated after the host booted, so that it still runs what was there before. A package
 * that was installed again in the version that we saw before is not updated. None of a host on which nothing was there
 * when it booted: its clock was wrong when it was installed, or it is a container that says neither.
 */
export function coreUpdatesSinceBoot(
  { installs, firstInstallAt }: CoreInstalls,
  { bootedAt, firstSnapshotAt, changes }: CoreHistory,
): readonly CoreInstall[] {
  if (bootedAt === null || (firstInstallAt !== null && firstInstallAt > bootedAt)) return [];
  return installs.filter(({ name, architecture, installedAt }) => {
    if (installedAt <= bootedAt) return false;
    const wasSeenBefore = firstSnapshotAt !== null && firstSnapshotAt < installedAt;
    return (
      !wasSeenBefore ||
      changes.some(
        (change) => change.name === name && change.architecture === architecture && change.at >= bootedAt,
      )
    );
  });
}
