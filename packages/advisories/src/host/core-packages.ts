import type { CoreInstall, OsFamily, Snapshot } from '@plimsoll/model';
import { compareText } from '@plimsoll/model';
import { isContainer } from '../kernel/running-kernel.ts';
import { packageManagerOf } from '../upgrade/package-manager.ts';
import { isCorePackage } from '../upgrade/upgrade-command.ts';

/** Whether hosts of a family report install times. */
const saysInstallTimes: Readonly<Record<OsFamily, boolean>> = { apt: false, rpm: true, unknown: false };

/**
 * The core packages of a host with their install times, by name and architecture. Empty for a host that does not
 * report install times (apt), and for a container, which does not boot. Skips installs dated after the report: the
 * host's clock is wrong.
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

/** The install time of a host's oldest package, hence of the host; null if unknown. */
export function firstInstallOf({ packages }: Pick<Snapshot, 'packages'>): Date | null {
  return packages.reduce<Date | null>(
    (first, { installedAt }) =>
      installedAt !== null && (first === null || installedAt < first) ? installedAt : first,
    null,
  );
}

/** The install times in a snapshot. */
export interface CoreInstalls {
  /** As coreInstallsOf returns them. */
  readonly installs: readonly CoreInstall[];
  /** As firstInstallOf returns it. */
  readonly firstInstallAt: Date | null;
}

/** A host's boots and core packages according to its other snapshots and contacts. */
export interface CoreHistory {
  readonly bootedAt: Date | null;
  /** Null: this snapshot is the first. */
  readonly firstSnapshotAt: Date | null;
  /** Core packages whose version changed since boot, with the time the change was first seen. */
  readonly changes: readonly CoreChange[];
}

/** A core package whose version differs from an earlier one. */
export interface CoreChange {
  readonly name: string;
  readonly architecture: string;
  readonly at: Date;
}

/**
 * The core packages that were updated after boot, so that the host still runs their old code. Excludes reinstalls of a
 * version seen before. Empty if no package predates the boot: the clock was wrong at installation, or the host is an
 * unrecognised container.
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
