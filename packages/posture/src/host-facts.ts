import {
  type CoreInstall,
  coreUpdatesSinceBoot,
  distributionOf,
  type HostFacts,
  type HostUpgrade,
  readOffer,
} from '@plimsoll/advisories';
import type { StoredCoreHistory, StoredFacts, StoredLifecycle } from '@plimsoll/db';
import type { PackageVersionId, Release, Upgrade } from '@plimsoll/model';

/** Names under which a collector says that it could not read the updates: the field of snapshot.proto, and the word. */
const updateSections: ReadonlySet<string> = new Set(['upgradable', 'updates']);

/** readOffer as a CountRule wants it. */
export function toHostUpgrade(release: Release, upgrade: Upgrade): HostUpgrade {
  return readOffer(upgrade, release);
}

/** The facts of a stored snapshot, as assessing wants them. */
export function toHostFacts(stored: {
  readonly release: Release;
  readonly lifecycle: StoredLifecycle | null;
  readonly facts: StoredFacts;
  readonly bootedAt: Date | null;
  readonly coreHistory: StoredCoreHistory | null;
  readonly upgrades: readonly HostUpgrade[];
  readonly held: ReadonlySet<PackageVersionId>;
}): HostFacts {
  const { platform, kernel, services, subscription, failures } = stored.facts;
  return {
    release: distributionOf(stored.release) === null ? null : stored.release,
    lifecycle: stored.lifecycle,
    virtualization: platform.virtualization,
    kernel,
    services,
    subscription,
    failures,
    bootedAt: stored.bootedAt,
    coreUpdates: coreUpdatesOf(stored.facts, stored.coreHistory),
    upgrades: stored.upgrades,
    updates: failures.some(({ section }) => updateSections.has(section.toLowerCase())) ? 'unknown' : 'known',
    held: stored.held,
  };
}

function coreUpdatesOf(
  { coreInstalls = [], firstInstallAt }: StoredFacts,
  history: StoredCoreHistory | null,
): readonly CoreInstall[] {
  if (history === null) return [];
  const installs = coreInstalls.map((install) => ({
    ...install,
    installedAt: new Date(install.installedAt),
  }));
  return coreUpdatesSinceBoot(installs, {
    ...history,
    firstInstallAt: firstInstallAt === undefined ? null : new Date(firstInstallAt),
  });
}
